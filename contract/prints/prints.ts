import { z } from 'zod'
import { managers, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { firstLayerInspection } from '../watch/first-layer.ts'
import { printerBase } from '../watch/printer-base.ts'
import { choice, flag, id, many, orNull, page, text, timestamp, timeZone } from '../values.ts'
import { watchedShare } from '../watch/watch-code.ts'

/** docs/wire/rest.md 5, GCodeFileBase. For a file that lives on a printer `url` is its path there. */
export const gCodeFileBase = z
  .object({
    id: z.int(),
    user: z.int(),
    resident_printer: z.int().nullable(),
    deleted: timestamp.nullable(),
    deleted_by_cascade: z.boolean(),
    filename: z.string(),
    safe_filename: z.string(),
    parent_folder: z.int().nullable(),
    url: z.string().nullable(),
    num_bytes: z.number().nullable(),
    agent_signature: z.string().nullable(),
    metadata_json: z.string().nullable(),
    filament_total: z.number().nullable(),
    estimated_time: z.number().nullable(),
    thumbnail1_url: z.string().nullable(),
    thumbnail2_url: z.string().nullable(),
    thumbnail3_url: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'GCodeFileBase' })
export type GCodeFileBase = z.infer<typeof gCodeFileBase>

/**
 * docs/wire/rest.md 5, PrintBase. `printer` outlives its deletion and is null for an uploaded time-lapse; `g_code_file` is
 * what "Reprint" hands to `file_operations.start_printer_local_print`, null when it is not known.
 */
export const printBase = z
  .object({
    id: z.int(),
    printer: printerBase.nullable(),
    g_code_file: gCodeFileBase.nullable(),
    filename: z.string(),
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    uploaded_at: timestamp.nullable(),
    alerted_at: timestamp.nullable(),
    alert_acknowledged_at: timestamp.nullable(),
    alert_muted_at: timestamp.nullable(),
    paused_at: timestamp.nullable(),
    /** Who has it stand still; null while it goes on, of a pause at the printer itself, and where nobody knows. */
    paused_by: z.enum(['vigil', 'owner']).nullable(),
    video_url: z.string().nullable(),
    tagged_video_url: z.string().nullable(),
    poster_url: z.string().nullable(),
    alert_overwrite: z.enum(['FAILED', 'NOT_FAILED']).nullable(),
    filament_used: z.number().nullable(),
    print_time: z.number().nullable(),
    access_consented_at: timestamp.nullable(),
    video_archived_at: timestamp.nullable(),
    need_alert_overwrite: z.boolean(),
    need_print_shot_feedback: z.boolean(),
  })
  .meta({ id: 'PrintBase' })
export type PrintBase = z.infer<typeof printBase>

/** A file with its prints that are not deleted, newest first. */
export const gCodeFile = gCodeFileBase.extend({ print_set: z.array(printBase) }).meta({ id: 'GCodeFile' })
export type GCodeFile = z.infer<typeof gCodeFile>

/** docs/wire/rest.md 5, PrintShotFeedback: a picture of a print that its owner is asked about. */
export const printShotFeedback = z
  .object({
    id: z.int(),
    print_id: z.int().nullable(),
    image_url: z.string(),
    answer: z.enum(['LOOKS_BAD', 'LOOKS_OK', 'UNDECIDED']).nullable(),
    answered_at: timestamp.nullable(),
  })
  .meta({ id: 'PrintShotFeedback' })

/** docs/wire/rest.md 5, Print. */
export const print = printBase
  .extend({
    /** A path of this server, which answers `[]` as long as there is nothing. */
    prediction_json_url: z.string(),
    printshotfeedback_set: z.array(printShotFeedback),
    firstlayerinspection_set: z.array(firstLayerInspection),
    /** Of a print that is over; null while it runs, and of an uploaded film. */
    watched: watchedShare.nullable(),
    /** What the detector saw, in order, 0 to 1, as for a gauge; null where nobody looked, and of a print of which nothing is known. */
    score_curve: z.array(z.number().nullable()).max(32).nullable(),
  })
  .meta({ id: 'Print' })
export type Print = z.infer<typeof print>

const unanswered = ['need_alert_overwrite', 'need_print_shot_feedback', 'none'] as const

/** The common query set of docs/wire/rest.md 4. Days are those of `timezone`, the last one included. */
export const printFilters = {
  with_deleted: z.string().optional(),
  filter: choice(['cancelled', 'finished', ...unanswered], 'none'),
  feedback_needed: choice(unanswered, 'none'),
  from_date: z.iso.date().optional(),
  to_date: z.iso.date().optional(),
  timezone: timeZone.optional(),
  filter_by_printer_ids: many(id),
  /** True: only time-lapses that were uploaded; false: only prints of printers. */
  uploaded: flag.optional(),
  /** True: only what its owner says has failed; false: none of it. */
  failed: flag.optional(),
  /** A part of the file's name, in any case. */
  q: text(200).optional(),
}

/** `from_date` means nothing without the other two. */
function wholeSpan(query: Partial<Record<'from_date' | 'to_date' | 'timezone', string>>, refuse: Refuse) {
  if (query.from_date === undefined) return
  for (const name of ['to_date', 'timezone'] as const)
    if (query[name] === undefined)
      refuse.addIssue({ code: 'custom', path: [name], message: 'This field is required.' })
}
type Refuse = z.core.$RefinementCtx

const one = {
  path: '/api/v1/prints/:id/',
  callers: readers,
  params: z.object({ id }),
  query: z.object(printFilters).superRefine(wholeSpan),
} as const

export const getPrint = endpoint({ ...one, method: 'GET', summary: 'One print', response: print })

/** What an owner may write of a print. `alert_overwrite` says how it went; that an alert was seen is another matter. */
export const printWrite = z.object({
  alert_overwrite: orNull(z.enum(['FAILED', 'NOT_FAILED'])).optional(),
  access_consented_at: orNull(
    z.iso.datetime({ offset: true, error: 'This is not a date and time with an offset.' }),
  ).optional(),
})
export type PrintWrite = z.infer<typeof printWrite>

const change = {
  ...one,
  callers: managers,
  summary: 'Say how a print went, or let it be looked at; everything else is ignored',
  body: printWrite,
  response: print,
} as const
export const updatePrint = endpoint({ ...change, method: 'PATCH' })
export const replacePrint = endpoint({ ...change, method: 'PUT' })

/** Its video and pictures go a little later. */
export const deletePrint = endpoint({
  ...one,
  callers: managers,
  method: 'DELETE',
  summary: 'Delete a print, for good; one that runs goes on',
  response: null,
  status: 204,
})

export const deletePrints = endpoint({
  method: 'POST',
  path: '/api/v1/prints/bulk_delete/',
  callers: managers,
  summary: "Delete several prints, for good; ids that are not the caller's are ignored",
  body: z.object({ print_ids: z.array(id).max(10_000) }),
  response: null,
  status: 204,
})

/** `after`: the last print that one has; those that follow it in this order, whatever came or went meanwhile. */
export const listPrints = endpoint({
  method: 'GET',
  path: '/api/v1/prints/',
  callers: readers,
  summary: "The caller's prints by id, running ones included",
  query: z
    .object({
      ...printFilters,
      ...page(12, 200),
      sorting: choice(['date_desc', 'date_asc'], 'date_desc'),
      after: id.optional(),
    })
    .superRefine(wholeSpan),
  response: z.array(print),
})

/** Ended prints; seconds and millimetres, what is not known counts as nothing. */
const sums = { count: z.int(), print_time: z.number(), filament_used: z.number() }

/** What the caller's prints come to, with the filters of the list: for the head of the history. */
export const printTotals = z
  .object({
    ...sums,
    succeeded: z.int(),
    cancelled: z.int(),
    /** Its owner says so, whether it was finished or cancelled. */
    failed: z.int(),
    failed_cancelled: z.int(),
    /** Not ended, and not in `count`. */
    running: z.int(),
    /** Nobody has said yet how they went. */
    need_alert_overwrite: z.int(),
    /** By the month in which they began, as the clocks of `timezone` (else UTC) show it; newest first. */
    months: z.array(z.object({ month: z.string().regex(/^\d{4,6}-\d\d$/), ...sums })),
  })
  .meta({ id: 'PrintTotals' })
export type PrintTotals = z.infer<typeof printTotals>

export const getPrintTotals = endpoint({
  method: 'GET',
  path: '/api/v1/prints/totals/',
  callers: readers,
  summary: "What the caller's prints come to, with the filters of the list",
  query: z.object(printFilters).superRefine(wholeSpan),
  response: printTotals,
})
