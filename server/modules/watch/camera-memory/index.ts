import * as api from '@vigil/contract/watch/camera-memory.ts'
import type { FastifyInstance } from 'fastify'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { findLearnt, forgetLearned } from '../detection/index.ts'

async function present(ctx: Ctx, printerId: PrinterId): Promise<api.Learnt> {
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
    const { id } = await requirePrinter(ctx, principal, params.id, 'see')
    return await present(ctx, id)
  })
  route(app, api.deleteLearnt, async ({ principal, params }) => {
    const printer = await requirePrinter(ctx, principal, params.id, 'edit')
    await forgetLearned(ctx, printer)
    return await present(ctx, printer.id)
  })
}
