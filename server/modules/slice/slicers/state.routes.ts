import { statusOf, type StatusReading } from '@vigil/contract/core/status.ts'
import * as contract from '@vigil/contract/slice/octoprint.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { readStatus } from '../../core/presence/index.ts'
import { notOperational, printerOf, type Slicer } from './printer.service.ts'

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

/** OctoPrint's words for how a printer stands, which slicers go by. */
function wordOf(
  status: StatusReading,
): 'Offline' | 'Pausing' | 'Paused' | 'Cancelling' | 'Printing' | 'Operational' {
  if (status.disconnected) return 'Offline'
  if (status.text === 'Cancelling') return 'Cancelling'
  if (status.standsPaused) return 'Paused'
  if (status.pausing) return 'Pausing'
  if (status.printing) return 'Printing'
  return status.operational || status.ready ? 'Operational' : 'Offline'
}

/** A status as OctoPrint's API tells it; null for a printer that is not operational. */
function octoStateOf(status: StatusReading | null): contract.OctoPrinterState | null {
  const word = status === null ? 'Offline' : wordOf(status)
  if (status === null || word === 'Offline') return null
  const heaters = status.temperatures
    .filter(({ name }) => /^(tool\d{1,2}|bed|chamber)$/.test(name))
    .map(({ name, actual, target, offset }) => [name, { actual, target, offset }] as const)
  return {
    state: {
      text: word,
      flags: {
        operational: true,
        printing: word === 'Printing',
        pausing: word === 'Pausing',
        paused: word === 'Paused',
        cancelling: word === 'Cancelling',
        ready: word === 'Operational',
        error: false,
        closedOrError: false,
        sdReady: false,
      },
    },
    temperature: Object.fromEntries(heaters),
  }
}

/** What is being printed, as OctoPrint's API tells it. */
function octoJobOf(status: StatusReading | null): contract.OctoJobState {
  const name = status?.file['name']
  return {
    state: status === null ? 'Offline' : wordOf(status),
    job: { file: { name: typeof name === 'string' ? name : null } },
    progress: {
      completion: status?.completion ?? null,
      printTime: status?.elapsedS ?? null,
      printTimeLeft: status?.leftS ?? null,
    },
  }
}
