import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { text } from '../values.ts'

/** Refused in a word of RFC 6749, 5.2. */
const refusal = z.object({ error: z.string() }).meta({ id: 'OAuthRefusal' })

/** Where a program fetches its token: by a code with PKCE, or by the word that it was handed with the last one (docs/rules/slice.md). */
export const fetchToken = endpoint({
  method: 'POST',
  path: '/o/token/',
  callers: ['anyone'],
  summary:
    'A program fetches a token: by a code with PKCE, or by the refresh token that came with the last one',
  body: z.object({
    grant_type: text(100),
    client_id: text(100),
    code: text(200).optional(),
    redirect_uri: text(500).optional(),
    code_verifier: text(200).optional(),
    refresh_token: text(200).optional(),
  }),
  answers: { 400: refusal },
  response: z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    /** Seconds. */
    expires_in: z.int(),
    scope: z.string(),
    refresh_token: z.string(),
  }),
})

export const introspect = endpoint({
  method: 'POST',
  path: '/o/introspect/',
  callers: ['oauth', 'slicer'],
  summary: "What a token of the caller's account is worth (RFC 7662); of any other nothing is said",
  body: z.object({ token: text(500) }),
  response: z.union([
    z.object({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      scope: z.string(),
      client_id: z.string(),
      token_type: z.literal('Bearer'),
      sub: z.string(),
      exp: z.int().optional(),
    }),
  ]),
})
