import * as api from '@vigil/contract/slice/slicer.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { languageOf, route } from '../../../http/route.ts'
import { requireAdmin } from '../../people/accounts/index.ts'
import { nameOf, slicerName } from '../profiles/index.ts'
import { askInstallation, readInstallation, whyNotInstalled } from './installing.service.ts'

/** PrusaSlicer does from 2.5 on. */
function readsStep(name: string | null): boolean {
  const [, major, minor] = /^PrusaSlicer (\d{1,3})\.(\d{1,3})/.exec(name ?? '') ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 5)
}

/** Which slicer there is, and how one comes. */
export function installingRoutes(app: FastifyInstance, ctx: Ctx): void {
  const state = async (request: FastifyRequest) => {
    const name = await slicerName(ctx)
    const now = name === null ? await readInstallation(ctx) : null
    return {
      name,
      reads_step: readsStep(await nameOf(ctx, 'prusa')),
      installation: now && 'step' in now ? now : null,
      failed: now && 'failed' in now ? whyNotInstalled(now.failed, now.said).in(languageOf(request)) : null,
    }
  }
  route(app, api.getSlicerEngine, ({ request }) => state(request))
  route(app, api.installSlicerEngine, async ({ principal, edge, request }) => {
    await requireAdmin(ctx, { principal, edge })
    await askInstallation(ctx)
    return await state(request)
  })
}
