import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { PictureRecord, PictureRef, Presence } from '../../core/presence/index.ts'
import { type AlertSight, presentAlert } from '../../watch/detection/index.ts'
import { mediaUrl } from '../../core/media/index.ts'
import { presentPrinterBase, stateOf } from '../../watch/printer-base/index.ts'
import { presentPrint } from '../../prints/prints/index.ts'
import type { PrinterView } from './printers.queries.ts'
import { presentSettings } from './settings.present.ts'

export type Where = Pick<Edge, 'origin' | 'prefix'>

/** What moves in a Printer from one status to the next, and with time. */
export function presentMoving(
  ctx: Ctx,
  { printer, print, detectionHours, isPro }: PrinterView,
  live: Presence,
  edge: Where,
): Pick<Printer, 'not_watching_reason' | 'not_watching_code' | 'pic' | 'status' | 'watch' | 'agent'> {
  const { agent, status, watch } = stateOf(ctx, { printer, print, detectionHours, isPro }, live)
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
  const base = presentPrinterBase(printer, moving.not_watching_reason)
  const before = {
    ...base,
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
