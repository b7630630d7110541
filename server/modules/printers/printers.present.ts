import type { AgentState, Printer } from '@vigil/contract/printers.ts'
import type { PrintBase } from '@vigil/contract/prints.ts'
import type { Ctx } from '../../ctx.ts'
import type { Edge } from '../../http/edge.ts'
import { type AgentRecord, keys, type PictureRecord } from '../commands/keys.ts'
import { type AlertSight, watchOf } from '../detection/index.ts'
import { mediaUrl } from '../media/index.ts'
import { presentPrint } from '../prints/index.ts'
import type { PrinterView } from './printers.queries.ts'
import { presentSettings } from './settings.present.ts'

/** An agent whose last sign is older is not claimed to respond, whatever the record says. */
const NOT_RESPONDING_MS = 60_000
const OFFLINE_MS = 150_000

/** What lives in `live` about a printer, read together. */
export interface LiveFacts {
  readonly status: Record<string, unknown> | null
  readonly agent: AgentRecord | null
  readonly picture: PictureRecord | null
}

const parse = <T>(bytes: Buffer | null): T | null =>
  bytes === null ? null : (JSON.parse(bytes.toString()) as T)

/** Status, agent and picture of a printer. */
export async function readLive(ctx: Ctx, printerId: number): Promise<LiveFacts> {
  const [status, agent, picture] = await Promise.all([
    ctx.live.get(keys.status(printerId)),
    ctx.live.get(keys.agent(printerId)),
    ctx.live.get(keys.picture(printerId)),
  ])
  return { status: parse(status), agent: parse(agent), picture: parse(picture) }
}

/** How the agent stands now: a record that is not renewed grows old (agent-protocol 3.9). */
export function presentAgent(agent: AgentRecord | null, now: number, left: Date | null): AgentState {
  if (agent === null) return { state: 'offline', last_seen_at: left?.toISOString() ?? null }
  const silence = now - agent.seenAt
  const last_seen_at = new Date(agent.seenAt).toISOString()
  if (silence > OFFLINE_MS) return { state: 'offline', last_seen_at }
  return { state: silence > NOT_RESPONDING_MS ? 'not_responding' : agent.state, last_seen_at }
}

type Where = Pick<Edge, 'origin' | 'prefix'>

/** What moves in a Printer from one status to the next, and with time. */
export function presentMoving(
  ctx: Ctx,
  { printer, print, detectionHours }: PrinterView,
  live: LiveFacts,
  edge: Where,
): Pick<Printer, 'not_watching_reason' | 'not_watching_code' | 'pic' | 'status' | 'watch' | 'agent'> {
  const agent = presentAgent(live.agent, ctx.clock.now(), printer.agentSeenAt)
  const status = agent.state === 'offline' ? null : live.status
  const watch = watchOf(ctx, {
    watchingEnabled: printer.watchingEnabled,
    detectionHours,
    print,
    status,
    agent: live.agent,
    picture: live.picture,
  })
  return {
    not_watching_reason: watch.reason,
    not_watching_code: watch.code,
    pic: presentPicture(ctx, live.picture, edge),
    status: status as Printer['status'],
    watch,
    agent,
  }
}

/** A Printer of the wire (api-contract 1.6) with the new client's `watch` and `agent`. */
export function presentPrinter(ctx: Ctx, view: PrinterView, live: LiveFacts, edge: Where): Printer {
  const { printer, print } = view
  const moving = presentMoving(ctx, view, live, edge)
  return {
    id: printer.id,
    name: printer.name,
    created_at: printer.createdAt.toISOString(),
    action_on_failure: printer.actionOnFailure as Printer['action_on_failure'],
    watching_enabled: printer.watchingEnabled,
    not_watching_reason: moving.not_watching_reason,
    not_watching_code: moving.not_watching_code,
    tools_off_on_pause: printer.toolsOffOnPause,
    bed_off_on_pause: printer.bedOffOnPause,
    retract_on_pause: printer.retractOnPause,
    lift_z_on_pause: printer.liftZOnPause,
    detective_sensitivity: printer.detectiveSensitivity,
    min_timelapse_secs_on_finish: printer.minTimelapseSecsOnFinish,
    min_timelapse_secs_on_cancel: printer.minTimelapseSecsOnCancel,
    auth_token: printer.authToken,
    archived_at: printer.archivedAt?.toISOString() ?? null,
    agent_name: printer.agentName,
    agent_version: printer.agentVersion,
    pic: moving.pic,
    alert_pic: presentAlert(ctx, view.alertSight, edge),
    status: moving.status,
    settings: presentSettings(printer.agentSettings, printer),
    current_print: print && (presentPrint(ctx, print, edge) satisfies PrintBase),
    normalized_p: view.normalizedP,
    watch: moving.watch,
    ignored_percent: view.ignoredPercent,
    agent: moving.agent,
  }
}

/** What an alert is about stays, whatever pictures come after it. */
function presentAlert(ctx: Ctx, sight: AlertSight | null, edge: Where): Printer['alert_pic'] {
  return (
    sight && {
      img_url: mediaUrl(ctx, sight.tagged ?? sight.raw, edge),
      raw_url: mediaUrl(ctx, sight.raw, edge),
      taken_at: sight.at.toISOString(),
    }
  )
}

/** Addresses of the latest picture; `ts` busts caches of a path that stays the same (api-contract 3.2). */
function presentPicture(ctx: Ctx, picture: PictureRecord | null, edge: Where): Printer['pic'] {
  if (picture === null) return null
  const url = (ref: PictureRecord['raw']) => `${mediaUrl(ctx, ref, edge)}&ts=${picture.at}`
  return { img_url: url(picture.tagged ?? picture.raw), raw_url: url(picture.raw) }
}
