import type { PrinterBase } from '@vigil/contract/watch/printer-base.ts'
import type { AgentState, Watch } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import { isActing } from '../../../http/acting.ts'
import type { Principal } from '../../../http/principal.ts'
import type { AgentRecord, Presence } from '../../core/presence/index.ts'
import { watchOf, type WatchFacts } from '../detection/index.ts'
import type { PrinterRow } from './printer-base.queries.ts'

/** After a restart every agent gets this long to come back: it knocks only when it has something to say. */
const RETURN_MS = 150_000

/** How the agent stands now. */
function presentAgent(ctx: Ctx, agent: AgentRecord | null, printer: StateRows['printer']): AgentState {
  if (agent !== null) {
    const { state, seenAt, away } = agent
    const last_seen_at = new Date(seenAt).toISOString()
    return {
      state,
      last_seen_at,
      ...(away && { away: { ...away, since: new Date(away.since).toISOString() } }),
    }
  }
  const last_seen_at = printer.agentSeenAt?.toISOString() ?? null
  if (!isExpectedBack(ctx, printer)) return { state: 'offline', last_seen_at }
  return { state: 'waiting', last_seen_at, after_restart: true }
}

/** With `live` in this process nobody knows who was there before a restart; with Redis the records have stayed. */
function isExpectedBack({ config, clock, started }: Ctx, printer: StateRows['printer']): boolean {
  if (config.REDIS_URL !== undefined || clock.monotonic() - started.monotonic > RETURN_MS) return false
  const hasLeftSince = printer.agentSeenAt !== null && printer.agentSeenAt.getTime() >= started.at
  return printer.agentName !== null && !hasLeftSince
}

/** The rows that a printer's state hangs on. */
export interface StateRows extends Pick<WatchFacts, 'print' | 'detectionHours' | 'isPro' | 'brand'> {
  readonly printer: Pick<PrinterRow, 'watchingEnabled' | 'agentSeenAt' | 'agentName'>
}

/** How a printer stands now: its agent, its status (null when offline) and whether it is watched. */
export function stateOf(
  ctx: Ctx,
  { printer, print, detectionHours, isPro, brand }: StateRows,
  live: Presence,
): { agent: AgentState; status: Record<string, unknown> | null; watch: Watch } {
  const agent = presentAgent(ctx, live.agent, printer)
  const status = agent.state === 'offline' ? null : live.status
  const watch = watchOf(ctx, {
    watchingEnabled: printer.watchingEnabled,
    detectionHours,
    isPro,
    brand,
    print,
    status,
    agent: live.agent,
    isAwaited: agent.state === 'waiting',
    picture: live.picture,
  })
  return { agent, status, watch }
}

/** Whether somebody may hold the printer's own token, with which its agent speaks: its owner, themselves or by an app that may do all. */
export const holdsToken = (principal: Principal, printer: Pick<PrinterRow, 'userId'>): boolean =>
  principal.kind === 'user' &&
  principal.via !== 'key' &&
  !isActing(principal) &&
  principal.userId === printer.userId

/** A PrinterBase of the wire (docs/wire/rest.md 5); `auth_token` is empty for who may not hold it. */
export function presentPrinterBase(
  printer: PrinterRow,
  notWatchingReason: string | null,
  isHeld: boolean,
): PrinterBase {
  return {
    id: printer.id,
    name: printer.name,
    created_at: printer.createdAt.toISOString(),
    action_on_failure: printer.actionOnFailure as PrinterBase['action_on_failure'],
    watching_enabled: printer.watchingEnabled,
    not_watching_reason: notWatchingReason,
    tools_off_on_pause: printer.toolsOffOnPause,
    bed_off_on_pause: printer.bedOffOnPause,
    retract_on_pause: printer.retractOnPause,
    lift_z_on_pause: printer.liftZOnPause,
    detective_sensitivity: printer.detectiveSensitivity,
    min_timelapse_secs_on_finish: printer.minTimelapseSecsOnFinish,
    min_timelapse_secs_on_cancel: printer.minTimelapseSecsOnCancel,
    auth_token: isHeld ? printer.authToken : '',
    archived_at: printer.archivedAt?.toISOString() ?? null,
    agent_name: printer.agentName,
    agent_version: printer.agentVersion,
  }
}
