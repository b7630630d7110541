import { z } from 'zod'
import { managers, operators, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { flag, id, integer, orNull, timestamp } from '../values.ts'

/** What is to be printed next, on one printer or on any that fits (docs/rules/files.md). */

/** Entries of an account that wait or print, and all their copies together. */
export const MOST_ENTRIES = 500
export const MOST_COPIES = 100

/** Why a printer does not begin a print just now. */
const OBSTACLES = ['queue_off', 'offline', 'error', 'agent_old', 'busy', 'not_cleared', 'refused'] as const
export const obstacle = z.enum(OBSTACLES)
export type Obstacle = z.infer<typeof obstacle>

/** Why an entry waits: something of its own, of its printer, or others before it. */
export const waitReason = z.enum([
  'file_deleted',
  'on_hold',
  'printer_deleted',
  'no_printer',
  'does_not_fit',
  'fits_none',
  'fit_unknown',
  'behind',
  ...OBSTACLES,
])
export type WaitReason = z.infer<typeof waitReason>

/** A copy that was given to a printer. `sending`: from the decision until the print begins. */
export const queueRun = z
  .object({
    printer_id: z.int(),
    printer_name: z.string(),
    state: z.enum(['sending', 'printing', 'finished', 'cancelled', 'failed']),
    /** Why nothing was printed, in the reader's words. */
    reason: z.string().nullable(),
    print_id: z.int().nullable(),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'QueueRun' })
export type QueueRun = z.infer<typeof queueRun>

export const queueEntry = z
  .object({
    id: z.int(),
    file: z.object({
      id: z.int(),
      filename: z.string(),
      estimated_time: z.number().nullable(),
      filament_total: z.number().nullable(),
      thumbnail_url: z.string().nullable(),
      deleted: z.boolean(),
    }),
    /** null: any printer that fits. A deleted one keeps its name. */
    printer: z.object({ id: z.int(), name: z.string() }).nullable(),
    copies: z.int(),
    /** Copies that have not been started. */
    left: z.int(),
    on_hold: z.boolean(),
    /** Its owner wants it on that printer although it may not fit. */
    fits_anyway: z.boolean(),
    runs: z.array(queueRun),
    /** Of the next copy; null: it starts now, or there is none. */
    reason: waitReason.nullable(),
    /** The printer that is waited for, and how many stand before this there. */
    waits_for: z.object({ id: z.int(), name: z.string() }).nullable(),
    ahead: z.int(),
    /** As far as it can be said, if every bed is cleared at once. */
    starts_at: timestamp.nullable(),
    ends_at: timestamp.nullable(),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'QueueEntry' })
export type QueueEntry = z.infer<typeof queueEntry>

export const queuePrinter = z
  .object({
    id: z.int(),
    name: z.string(),
    enabled: z.boolean(),
    /** The state of the bed that a confirmation is about. */
    bed: z.int(),
    bed_clear: z.boolean(),
    cleared_at: timestamp.nullable(),
    obstacle: obstacle.nullable(),
    /** Why, in the reader's words, while `obstacle` is `refused`. */
    refusal: z.string().nullable(),
    /** The entry that it would print next, and how many wait that it may print. */
    next: z.int().nullable(),
    waiting: z.int(),
    free_at: timestamp.nullable(),
  })
  .meta({ id: 'QueuePrinter' })
export type QueuePrinter = z.infer<typeof queuePrinter>

/** The whole queue of an account: what waits, in its order; what was printed of it lately, newest first; its printers. */
export const queue = z
  .object({
    /** Rises with each change of the order. */
    version: z.int(),
    entries: z.array(queueEntry),
    done: z.array(queueEntry),
    printers: z.array(queuePrinter),
  })
  .meta({ id: 'Queue' })
export type Queue = z.infer<typeof queue>

export const getQueue = endpoint({
  method: 'GET',
  path: '/api/v1/queue/',
  callers: readers,
  ofAccount: true,
  summary: "The caller's print queue",
  response: queue,
})

const copies = integer(1, MOST_COPIES)

export const addToQueue = endpoint({
  method: 'POST',
  path: '/api/v1/queue/',
  callers: operators,
  ofAccount: true,
  summary: 'Puts a file of the cloud at the end of the queue',
  body: z.object({
    g_code_file_id: id,
    /** null: any printer that fits. */
    printer_id: orNull(id).default(null),
    copies: copies.default(1),
    on_hold: flag.default(false),
    fits_anyway: flag.default(false),
  }),
  status: 201,
  response: queue,
})

const params = z.object({ id })

export const changeQueueEntry = endpoint({
  method: 'PATCH',
  path: '/api/v1/queue/:id/',
  callers: operators,
  ofAccount: true,
  summary: 'Holds an entry or lets it go on, gives it to another printer, changes how often it is printed',
  params,
  body: z.object({
    printer_id: orNull(id).optional(),
    copies: copies.optional(),
    on_hold: flag.optional(),
    fits_anyway: flag.optional(),
  }),
  response: queue,
})

export const removeFromQueue = endpoint({
  method: 'DELETE',
  path: '/api/v1/queue/:id/',
  callers: operators,
  ofAccount: true,
  summary: 'Takes what has not been started of an entry out of the queue',
  params,
  response: queue,
})

const conflict = z.object({ detail: z.string() }).meta({ id: 'QueueConflict' })

export const moveInQueue = endpoint({
  method: 'POST',
  path: '/api/v1/queue/:id/move/',
  callers: operators,
  ofAccount: true,
  summary: 'Moves an entry behind another, or to the front; 409 when the order has changed since it was read',
  params,
  body: z.object({ after: orNull(id), version: integer(0, 2_147_483_647) }),
  answers: { 409: conflict },
  response: queue,
})

export const changeQueuePrinter = endpoint({
  method: 'PATCH',
  path: '/api/v1/queue/printers/:id/',
  callers: managers,
  ofAccount: true,
  summary: 'Turns the queue of a printer off or on',
  params,
  body: z.object({ enabled: flag }),
  response: queue,
})

export const clearBed = endpoint({
  method: 'POST',
  path: '/api/v1/queue/printers/:id/bed_cleared/',
  callers: operators,
  ofAccount: true,
  summary:
    'Says that the bed is clear: the next print of the queue may begin; 409 when it is not that state of the bed any more',
  params,
  body: z.object({ bed: integer(0, 2_147_483_647) }),
  answers: { 409: conflict },
  response: queue,
})

export const unclearBed = endpoint({
  method: 'DELETE',
  path: '/api/v1/queue/printers/:id/bed_cleared/',
  callers: operators,
  ofAccount: true,
  summary: 'Takes back that the bed is clear',
  params,
  response: queue,
})
