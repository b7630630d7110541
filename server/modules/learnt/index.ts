import * as api from '@vigil/contract/learnt.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { notFound } from '../../http/errors.ts'
import type { UserPrincipal } from '../../http/principal.ts'
import { route } from '../../http/route.ts'
import { findLearnt, forgetLearned } from '../detection/index.ts'
import { findViews } from '../printers/index.ts'

async function mustBeHis(
  ctx: Ctx,
  principal: UserPrincipal,
  action: 'see' | 'edit',
  id: number,
): Promise<void> {
  const [view] = await findViews(ctx.db, { principal, action }, id)
  if (view === undefined) throw notFound()
}

async function present(ctx: Ctx, printerId: number): Promise<api.Learnt> {
  const { sound, soundAt, failures, dismissed, seconds } = await findLearnt(ctx.db, printerId)
  return {
    sound_answers: sound,
    last_sound_answer: soundAt === null ? null : new Date(soundAt).toISOString(),
    dismissed: Math.round(dismissed * 1000) / 1000,
    confirmed_failures: failures,
    seconds: Math.round(seconds),
  }
}

/** What was learnt of a printer's camera: its owner sees it and has it forgotten (docs/detector.md). */
export function registerLearnt(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getLearnt, async ({ principal, params }) => {
    await mustBeHis(ctx, principal, 'see', params.id)
    return await present(ctx, params.id)
  })
  route(app, api.deleteLearnt, async ({ principal, params }) => {
    await mustBeHis(ctx, principal, 'edit', params.id)
    await forgetLearned(ctx, params.id)
    return await present(ctx, params.id)
  })
}
