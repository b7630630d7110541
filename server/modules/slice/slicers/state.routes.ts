import * as contract from '@vigil/contract/slice/octoprint.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { readStatus } from '../../core/presence/index.ts'
import { notOperational, printerOf, type Slicer } from './printer.service.ts'
import { octoJobOf, octoStateOf } from './state.rules.ts'

/** What slicers look at before they bring a file. */
export function stateRoutes(app: FastifyInstance, ctx: Ctx): void {
  const statusFor = async (slicer: Slicer) => {
    const chosen = await printerOf(ctx, slicer)
    return 'why' in chosen
      ? { why: chosen.why, status: null }
      : { why: text('slicers-server', 'offline'), status: statusOf(await readStatus(ctx, chosen.printer.id)) }
  }

  route(app, contract.octoVersion, ({ request }) => ({
    api: '0.1' as const,
    server: ctx.config.version,
    // PrusaSlicer and others go on only where this begins so.
    text: `OctoPrint API of ${brandOf(request, ctx).display_name}`,
  }))
  route(app, contract.octoSettings, () => ({
    api: { enabled: true as const },
    feature: { sdSupport: false as const },
    webcam: { webcamEnabled: false as const },
    plugins: {},
  }))
  route(app, contract.octoProfiles, async ({ principal, request }) => {
    const chosen = await printerOf(ctx, principal)
    const name = 'why' in chosen ? brandOf(request, ctx).display_name : chosen.printer.name
    return { profiles: { _default: { id: '_default', name, model: '', current: true as const } } }
  })
  route(app, contract.octoPrinter, async ({ principal }) => {
    const { status, why } = await statusFor(principal)
    const state = octoStateOf(status)
    if (state === null) throw notOperational(why)
    return state
  })
  route(app, contract.octoJob, async ({ principal }) => octoJobOf((await statusFor(principal)).status))
  // A key tells nothing of the account that it belongs to.
  route(app, contract.octoLogin, ({ request }) => ({
    name: brandOf(request, ctx).display_name,
    active: true as const,
    user: true as const,
    admin: false as const,
  }))
}
