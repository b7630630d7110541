import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { choice, page, text, timestamp } from '../values.ts'

const callers = ['session'] as const

/** A job that waits for its turn or its next try, runs, or has failed for good. */
export const job = z
  .object({
    id: z.string(),
    kind: z.string(),
    state: z.enum(['waiting', 'retrying', 'running', 'failed']),
    tries: z.int(),
    created_at: timestamp,
    /** When it is tried next; null: it runs, or will not be. */
    next_at: timestamp.nullable(),
    /** What went wrong last. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof job>

export const JOB_STATES = ['open', 'failed'] as const

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/v1/admin/jobs/',
  callers,
  summary: 'Jobs that wait or run, or those that failed for good in the last 30 days, newest first',
  query: z.object({ state: choice(JOB_STATES, 'open'), ...page(50, 200) }),
  response: z.object({ jobs: z.array(job), counts: z.record(z.enum(JOB_STATES), z.int()) }),
})

export const retryJob = endpoint({
  method: 'POST',
  path: '/api/v1/admin/jobs/:id/retry/',
  callers,
  summary: 'Tries a job at once; one that failed for good begins anew. 404 for one that runs or is done',
  params: z.object({ id: z.uuid() }),
  status: 204,
  response: null,
})

/** A letter, or a message by a channel, that nobody has accepted. */
export const owed = z
  .object({
    id: z.string(),
    /** `letter`, or the channel. */
    channel: z.string(),
    /** What it says, in a word of ours. */
    kind: z.string(),
    /** The account that it is for. */
    person: z.object({ id: z.int(), email: z.string() }),
    state: z.enum(['waiting', 'refused', 'expired']),
    tries: z.int(),
    created_at: timestamp,
    next_at: timestamp.nullable(),
    reason: z.string().nullable(),
    /** What a letter said is forgotten with its end. */
    can_retry: z.boolean(),
  })
  .meta({ id: 'Owed' })
export type Owed = z.infer<typeof owed>

export const OWED_STATES = ['waiting', 'failed'] as const

export const listOwed = endpoint({
  method: 'GET',
  path: '/api/v1/admin/outbox/',
  callers,
  summary:
    'Letters and messages that wait, or that were refused or came to nothing in the last 30 days, newest first',
  query: z.object({ state: choice(OWED_STATES, 'waiting'), ...page(50, 200) }),
  response: z.object({ owed: z.array(owed), counts: z.record(z.enum(OWED_STATES), z.int()) }),
})

export const retryOwed = endpoint({
  method: 'POST',
  path: '/api/v1/admin/outbox/:id/retry/',
  callers,
  summary: 'Sends a message by a channel at once, for an hour at most',
  params: z.object({ id: z.string().regex(/^[a-z]\d{1,15}$/) }),
  status: 204,
  response: null,
})

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/v1/admin/test_mail/',
  callers,
  summary: 'Sends a letter at once, and tells what the mail server said',
  body: z.object({
    email: text(254)
      .trim()
      .pipe(z.email({ error: 'Enter a valid email address.' })),
  }),
  response: z.object({ accepted: z.boolean(), said: z.string() }),
})

/** How the detector does, what the disk holds, and the last nightly backup. */
export const system = z
  .object({
    detector: z.object({
      state: z.enum(['ready', 'down']),
      error: z.string().nullable(),
      model: z.string(),
      /** Pictures that wait, on this node. */
      queued: z.int(),
      /** Of the last five minutes, on all nodes. */
      pictures_per_second: z.number(),
      /** From a picture's coming to this node to its verdict, on average over five minutes; null: none came. */
      delay_seconds: z.number().nullable(),
      /** Nineteen of twenty were as fast. */
      slow_delay_seconds: z.number().nullable(),
    }),
    disk: z.object({
      free_bytes: z.number().nullable(),
      is_full: z.boolean(),
      database_bytes: z.number(),
      /** When stored files were last counted; null: never. */
      counted_at: timestamp.nullable(),
      is_counting: z.boolean(),
      /** By container and folder. */
      kinds: z.array(z.object({ kind: z.string(), files: z.int(), bytes: z.number() })),
      /** With less free, old pictures and films go. */
      keep_free_bytes: z.number(),
      /** What pictures of ended prints, and films, may take; null: any. */
      pictures_limit_bytes: z.number().nullable(),
      films_limit_bytes: z.number().nullable(),
      /** When it is full if it goes on as in the last two weeks; null: not so, or nobody can say yet. */
      full_at: timestamp.nullable(),
      /** What went last to make room: prints that lost their pictures, or films. */
      freed: z
        .object({
          at: timestamp,
          pictures: z.int(),
          films: z.int(),
          bytes: z.number(),
          /** There was too little room all the same. */
          is_scarce: z.boolean(),
        })
        .nullable(),
    }),
    backup: z.object({
      /** Whether one is made every night. */
      is_nightly: z.boolean(),
      /** When the last one was made; null: none yet. */
      done_at: timestamp.nullable(),
      bytes: z.number(),
      /** Where the whole one went, with all files; null: the database alone, in the data folder. */
      place: z.string().nullable(),
      /** When the last try failed after that, and why; null: it did not. */
      failed_at: timestamp.nullable(),
      reason: z.string().nullable(),
    }),
  })
  .meta({ id: 'System' })
export type System = z.infer<typeof system>

export const getSystem = endpoint({
  method: 'GET',
  path: '/api/v1/admin/system/',
  callers,
  summary: 'How the detector does and what the disk holds, for administrators',
  response: system,
})

export const countDisk = endpoint({
  method: 'POST',
  path: '/api/v1/admin/system/count/',
  callers,
  summary: 'Has all stored files counted, by a job',
  response: system,
})
