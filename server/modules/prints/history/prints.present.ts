import type { FirstLayerInspection } from '@vigil/contract/watch/first-layer.ts'
import type { PrinterBase } from '@vigil/contract/watch/printer-base.ts'
import type { GCodeFileBase, Print, PrintBase } from '@vigil/contract/prints/prints.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { columnUrl } from '../../core/media/index.ts'
import type { GCodeFileRow, PrintRow } from '../lifecycle/prints.queries.ts'

type Where = Pick<Edge, 'origin' | 'prefix'>

const time = (date: Date | null): string | null => date?.toISOString() ?? null

/** What a print names, read for many prints together. */
export interface Named {
  readonly printer: PrinterBase | null
  readonly file: GCodeFileRow | null
  /** Whether there is a picture of it that its owner has not answered. */
  readonly isAsked: boolean
}

/** A PrintBase of the wire (docs/wire/rest.md 5). */
export function presentPrint(
  ctx: Ctx,
  print: PrintRow,
  { printer, file, isAsked }: Named,
  edge: Where,
): PrintBase {
  return {
    id: print.id,
    printer,
    g_code_file: file && presentFile(ctx, file, edge),
    filename: print.filename,
    started_at: time(print.startedAt),
    ended_at: time(print.cancelledAt ?? print.finishedAt),
    finished_at: time(print.finishedAt),
    cancelled_at: time(print.cancelledAt),
    uploaded_at: time(print.uploadedAt),
    alerted_at: time(print.alertedAt),
    alert_acknowledged_at: time(print.alertAcknowledgedAt),
    alert_muted_at: time(print.alertMutedAt),
    paused_at: time(print.pausedAt),
    paused_by: print.pausedBy,
    video_url: columnUrl(ctx, print.video, edge),
    tagged_video_url: columnUrl(ctx, print.taggedVideo, edge),
    poster_url: columnUrl(ctx, print.poster, edge),
    alert_overwrite: print.alertOverwrite as PrintBase['alert_overwrite'],
    filament_used: print.filamentUsed,
    print_time: print.printTime,
    access_consented_at: time(print.accessConsentedAt),
    video_archived_at: time(print.videoArchivedAt),
    need_alert_overwrite: print.alertOverwrite === null && print.taggedVideo !== null,
    need_print_shot_feedback: isAsked,
  }
}

/** A GCodeFileBase of the wire (docs/wire/rest.md 5). A deleted file has no address any more. */
export function presentFile(ctx: Ctx, file: GCodeFileRow, edge: Where): GCodeFileBase {
  const isThere = file.deletedAt === null
  const pictureAt = (at: number) => columnUrl(ctx, (isThere && file.thumbnails[at]) || null, edge)
  return {
    id: file.id,
    user: file.userId,
    resident_printer: file.residentPrinterId,
    deleted: time(file.deletedAt),
    deleted_by_cascade: file.deletedByCascade,
    filename: file.filename,
    safe_filename: file.safeFilename,
    parent_folder: file.parentFolderId,
    url: isThere ? (columnUrl(ctx, file.content, edge) ?? file.url) : null,
    num_bytes: file.numBytes,
    agent_signature: file.agentSignature,
    metadata_json: file.metadataJson,
    filament_total: file.filamentTotal,
    estimated_time: file.estimatedTime,
    thumbnail1_url: pictureAt(0),
    thumbnail2_url: pictureAt(1),
    thumbnail3_url: pictureAt(2),
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
  }
}

interface Beside {
  readonly layers: readonly FirstLayerInspection[]
  readonly shots: Print['printshotfeedback_set']
  readonly watched: Print['watched']
}

/** A Print of the wire. */
export function presentFullPrint(
  ctx: Ctx,
  print: PrintRow,
  { layers, shots, watched, ...named }: Omit<Named, 'isAsked'> & Beside,
  edge: Where,
): Print {
  const isAsked = shots.some(({ answered_at }) => answered_at === null)
  return {
    ...presentPrint(ctx, print, { ...named, isAsked }, edge),
    prediction_json_url: `${edge.prefix}/api/v1/prints/${print.id}/prediction_json/`,
    printshotfeedback_set: [...shots],
    firstlayerinspection_set: [...layers],
    watched,
    score_curve: print.scoreCurve?.map((score) => (score === null ? null : score / 100)) ?? null,
  }
}
