import * as api from '@vigil/contract/slice/slicer.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { languageOf, route } from '../../../http/route.ts'
import { requireAdmin } from '../../people/accounts/index.ts'
import { slicerName } from '../profiles/index.ts'
import { askInstallation, readInstallation, whyNotInstalled } from './installing.service.ts'

/** Which slicer there is, and how one comes. */
export function installingRoutes(app: FastifyInstance, ctx: Ctx): void {
  const state = async (request: FastifyRequest) => {
    const name = await slicerName(ctx)
    const now = name === null ? await readInstallation(ctx) : null
    return {
      name,
      installation: now && 'step' in now ? now : null,
      failed: now && 'failed' in now ? whyNotInstalled(now.failed, now.said).in(languageOf(request)) : null,
    }
  }
  route(app, api.getSlicerEngine, ({ request }) => state(request))
  route(app, api.installSlicerEngine, async ({ principal, request }) => {
    await requireAdmin(ctx, principal)
    await askInstallation(ctx)
    return await state(request)
  })
}
