import { z } from 'zod'
import { endpoint, KEY_SCOPES } from '../endpoint.ts'
import { proofWanted } from './proof.ts'
import { id, integer, orNull, text, timestamp } from '../values.ts'

/** The one printer that a token is for; null: any. */
const printer = z.object({ id: z.int(), name: z.string() }).nullable()

/** An app that its user has let in, on the page that asks (docs/rules/slice.md). */
export const authorizedApp = z
  .object({
    id: z.int(),
    app: z.string(),
    printer,
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'AuthorizedApp' })
export type AuthorizedApp = z.infer<typeof authorizedApp>

/** What a key may do: bring files and have them printed, or act for its user as far as this (docs/rules/people.md 15). */
export const keyScope = z.enum(['slicer', ...KEY_SCOPES])

/** A key that its user has made; what it opens with is told once, and never again. */
export const apiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Its last characters, to know it by. */
    hint: z.string(),
    scope: keyScope,
    printer,
    /** The printers that it is for; null: all. Of a slicer's key `printer` says where it prints. */
    printers: z.array(z.object({ id: z.int(), name: z.string() })).nullable(),
    /** From where it was used last. */
    last_address: z.string().nullable(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKey>

export const newApiKey = apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' })
export type NewApiKey = z.infer<typeof newApiKey>

// No token makes or ends another: a browser's session alone.
const callers = ['session'] as const
const params = z.object({ id })

export const listAuthorizedApps = endpoint({
  method: 'GET',
  path: '/api/v1/authorized_apps/',
  callers,
  summary: "Apps that were let into the caller's account",
  response: z.array(authorizedApp),
})

export const revokeAuthorizedApp = endpoint({
  method: 'DELETE',
  path: '/api/v1/authorized_apps/:id/',
  callers,
  summary: 'Shuts an app out',
  params,
  status: 204,
  response: null,
  evenWhenDiskIsFull: true,
})

export const revokeByToken = endpoint({
  method: 'POST',
  path: '/o/revoke_token/',
  callers: ['anyone'],
  summary: 'A program gives back the token that it was handed (RFC 7009); answered alike for every word',
  body: z.object({ token: text(500) }),
  response: z.object({}),
  evenWhenDiskIsFull: true,
})

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/v1/api_keys/',
  callers,
  summary: "The caller's API keys",
  response: z.array(apiKey),
})

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/v1/api_keys/',
  callers,
  summary: 'Makes an API key; `key` is told this once',
  answers: { 403: proofWanted },
  status: 201,
  body: z
    .object({
      name: text(60)
        .transform((value) => value.trim())
        .pipe(z.string().min(1, { error: 'This field may not be blank.' })),
      scope: keyScope.default('slicer'),
      /** Of a slicer's key: the printer that it prints on. Without one it prints where there is only one printer. */
      printer_id: orNull(id).optional(),
      /** Of any other: the printers that it is for; all, unless given. */
      printer_ids: z.array(id).min(1).max(200).nullable().optional(),
      /** Days until it ends; never, unless given. */
      days: orNull(integer(1, 3650)).optional(),
    })
    .superRefine(({ scope, printer_id: one, printer_ids: some }, refuse) => {
      const wrong = scope === 'slicer' ? some != null && 'printer_ids' : one != null && 'printer_id'
      if (wrong)
        refuse.addIssue({ code: 'custom', path: [wrong], message: 'This does not go with that scope.' })
    }),
  response: newApiKey,
})

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/v1/api_keys/:id/',
  callers,
  summary: 'Revokes an API key',
  params,
  status: 204,
  response: null,
  evenWhenDiskIsFull: true,
})
