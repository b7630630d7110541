import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { mediaUrl } from '../../core/media/index.ts'
import type { PictureRecord, PictureRef, Presence } from '../../core/presence/index.ts'
import { presentPrint } from '../../prints/prints/index.ts'
import { type AlertSight, presentAlert } from '../../watch/detection/index.ts'
import { presentPrinterBase, stateOf } from '../../watch/printer-base/index.ts'
import type { PrinterView } from './printers.queries.ts'

/** Settings as an agent sent them and the agents module keeps them (docs/wire/agents.md 6). */
type Stored = Record<string, unknown>

const LEGACY = { webcam_flipV: false, webcam_flipH: false, webcam_rotation: 0, webcam_streamRatio: '16:9' }

const isObject = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists and objects are shown as JSON text, as clients know them (docs/wire/rest.md 5.2). */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * The `settings` of a Printer: never null, with the flat copies of the first webcam that old clients read
 * (docs/wire/rest.md 5.2).
 */
function presentSettings(
  stored: unknown,
  agent: { agentName: string | null; agentVersion: string | null },
): Record<string, unknown> {
  const settings = isObject(stored) ? stored : {}
  const webcams = Array.isArray(settings['webcams']) ? settings['webcams'].filter(isObject) : null
  const first = webcams?.[0]
  const rotation = Number(first?.['rotation'])
  const streamRatio =
    typeof first?.['streamRatio'] === 'string' ? first['streamRatio'] : LEGACY.webcam_streamRatio
  const profiles =
    (isObject(settings['temperature']) ? settings['temperature']['profiles'] : null) ??
    settings['temp_profiles']
  return {
    ...(webcams ? { webcams } : {}),
    data_channel_id: dataChannelOf(settings, webcams ?? []),
    // Absent as long as the agent never spoke of them: then it cannot set temperatures (docs/rules/pages.md 3).
    ...(Array.isArray(profiles) ? { temp_profiles: profiles.filter(isObject) } : {}),
    ...textual(settings),
    webcam_flipV: first?.['flipV'] === true,
    webcam_flipH: first?.['flipH'] === true,
    webcam_rotation: [90, 180, 270].includes(rotation) ? rotation : LEGACY.webcam_rotation,
    webcam_rotate90: rotation === 270,
    webcam_streamRatio: streamRatio,
    ratio169: streamRatio === '16:9',
    ...(agent.agentName !== null && agent.agentVersion !== null
      ? { agent_name: agent.agentName, agent_version: agent.agentVersion }
      : {}),
  }
}

/** Given, else the first webcam with a data channel, else a primary h264_transcode webcam (docs/wire/rest.md 5.2). */
function dataChannelOf(settings: Stored, webcams: Stored[]): string {
  const given = settings['data_channel_id']
  if (given !== undefined && given !== null && given !== '') return String(given)
  const webcam =
    webcams.find((one) => one['data_channel_available'] === true) ??
    webcams.find((one) => one['is_primary_camera'] === true && one['stream_mode'] === 'h264_transcode')
  return webcam?.['stream_id'] === undefined ? '' : String(webcam['stream_id'])
}

/** What clients read without looking whether it is there, and what only some agents say. */
const TEXTS: Readonly<Record<string, string | null>> = {
  printer_metadata: '{}',
  tsd_plugin_version: '',
  octoprint_version: '',
  platform_uname: null,
  installed_plugins: null,
}

function textual(settings: Stored): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TEXTS).flatMap(([name, usual]) => {
      const value = settings[name] ?? usual
      return value === null ? [] : [[name, asText(value)]]
    }),
  )
}

export type Where = Pick<Edge, 'origin' | 'prefix'>

/** What moves in a Printer from one status to the next, and with time. */
export function presentMoving(
  ctx: Ctx,
  { printer, print, detectionHours, isPro, brand }: PrinterView,
  live: Presence,
  edge: Where,
): Pick<Printer, 'not_watching_reason' | 'not_watching_code' | 'pic' | 'status' | 'watch' | 'agent'> {
  const { agent, status, watch } = stateOf(ctx, { printer, print, detectionHours, isPro, brand }, live)
  return {
    not_watching_reason: watch.reason,
    not_watching_code: watch.code,
    pic: presentPicture(ctx, live.picture, edge),
    status: status as Printer['status'],
    watch,
    agent,
  }
}

type Moving = ReturnType<typeof presentMoving>

/** A Printer of the wire (docs/wire/rest.md 5) with the new client's `watch` and `agent`. */
export function presentPrinter(ctx: Ctx, view: PrinterView, live: Presence, edge: Where): Printer {
  const moving = presentMoving(ctx, view, live, edge)
  const [before, after] = presentAround(ctx, view, moving, edge)
  return { ...before, status: moving.status, ...after }
}

/** What stands before and after the status, by far the most of a Printer that moves. */
export function presentAround(ctx: Ctx, view: PrinterView, moving: Moving, edge: Where) {
  const { printer, print } = view
  const base = presentPrinterBase(printer, moving.not_watching_reason, view.isHeld)
  const before = {
    ...base,
    role: view.role === 'self' ? ('owner' as const) : view.role,
    shared_by: view.sharedBy,
    not_watching_code: moving.not_watching_code,
    pic: moving.pic,
    alert_pic: presentAlertPicture(ctx, view.alertSight, edge),
    alert: presentAlert(ctx, view),
  }
  const after = {
    settings: presentSettings(printer.agentSettings, printer),
    current_print:
      print && presentPrint(ctx, print, { printer: base, file: view.file, isAsked: false }, edge),
    normalized_p: view.normalizedP,
    watch: moving.watch,
    ignored_percent: view.ignoredPercent,
    agent: moving.agent,
  }
  return [before, after] as const
}

/** What an alert is about stays, whatever pictures come after it. */
function presentAlertPicture(ctx: Ctx, sight: AlertSight | null, edge: Where): Printer['alert_pic'] {
  return (
    sight && {
      img_url: mediaUrl(ctx, sight.tagged ?? sight.raw, edge),
      raw_url: mediaUrl(ctx, sight.raw, edge),
      taken_at: sight.at.toISOString(),
    }
  )
}

/** Addresses of the latest picture; `ts` busts caches of a path that stays the same (docs/rules/watch.md 1). */
function presentPicture(ctx: Ctx, picture: PictureRecord | null, edge: Where): Printer['pic'] {
  if (picture === null || picture.raw === null) return null
  const url = (ref: PictureRef) => mediaUrl(ctx, ref, edge, picture.at)
  return { img_url: url(picture.tagged ?? picture.raw), raw_url: url(picture.raw) }
}
