import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { proofWanted } from './proof.ts'
import { text, timestamp } from '../values.ts'

/** An archive of all that is somebody's: rows as JSON with their schema, pictures, films, G-code (docs/rules/people.md 14). */
const archive = z
  .object({
    state: z.enum(['waiting', 'running', 'ready', 'failed']),
    /** Files that are in it, of how many; 0 of 0 while they are counted. */
    done: z.int(),
    total: z.int(),
    /** Files that a row names and that are gone. */
    missing: z.int(),
    num_bytes: z.int().nullable(),
    asked_at: timestamp,
    /** When its link ends; null until it is ready. */
    expires_at: timestamp.nullable(),
    /** Whether it was asked for in this very session, which alone may fetch it. */
    is_here: z.boolean(),
  })
  .meta({ id: 'Archive' })
export type Archive = z.infer<typeof archive>

export const leaving = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/leaving/',
  callers: ['session'],
  summary: 'What stands in the way of deleting the account, what it would leave unwatched, and the archive',
  response: z.object({
    /** It is ended first. */
    has_subscription: z.boolean(),
    /** Whether a link can be mailed by which it is undone. */
    is_mailed: z.boolean(),
    /** Prints that run now. */
    printing: z.array(z.object({ printer: z.string(), print: z.string() })),
    archive: archive.nullable(),
  }),
})
export type Leaving = z.infer<(typeof leaving)['response']>

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/ent/api/users/delete/',
  callers: ['session'],
  summary: 'Delete the account: it is closed at once, and all of it is gone 72 hours later',
  body: z.object({
    acknowledged: z.literal(true),
    reason: text(2000).trim().min(1),
    reason_code: text(64).optional(),
  }),
  answers: { 403: proofWanted, 409: z.object({ error: z.literal('active_subscription') }) },
  response: null,
  status: 204,
})

export const keepAccount = endpoint({
  method: 'POST',
  path: '/api/v1/auth/leaving/undo/',
  callers: ['anyone'],
  summary: 'Keep an account that is about to be deleted, by the link in the letter',
  body: z.object({ link: text(200) }),
  response: null,
  status: 204,
})

export const makeArchive = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/archive/',
  callers: ['session'],
  summary: 'Have an archive made of all that is yours; one that is being made goes on',
  answers: { 403: proofWanted },
  response: archive,
})

/** Of which parts may be asked for. */
export const ARCHIVE_FILE = '/api/v1/users/me/archive/file/'
