import { z } from 'zod'
import { user } from './accounts.ts'
import { proofWanted } from './proof.ts'
import { endpoint } from '../endpoint.ts'
import { flag, id, text, timestamp } from '../values.ts'

/** What a browser's authenticator is asked, in the words of WebAuthn. */
const options = z.any()
const word = text(20_000)
const credential = {
  id: text(1400),
  rawId: text(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
}
/** What it answers, and which question, each once. */
const passkeyAnswer = z.object({
  key: text(100),
  response: z.object({
    ...credential,
    response: z.object({ clientDataJSON: word, authenticatorData: word, signature: word }),
  }),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

const passkeyMade = z.object({
  key: text(100),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: word,
      attestationObject: word,
      transports: z.array(text(20)).max(10).default([]),
    }),
  }),
})
export type PasskeyMade = z.infer<typeof passkeyMade>

export const passkey = z
  .object({ id: z.int(), name: z.string(), created_at: timestamp, last_used_at: timestamp.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkey>

export const factors = z
  .object({
    /** Codes of an authenticator app. */
    totp: z.boolean(),
    passkeys: z.array(passkey),
    recovery_codes_left: z.int(),
    has_password: z.boolean(),
    /** When all of them are removed, because an administrator was asked; null: nobody was. */
    reset_at: timestamp.nullable(),
  })
  .meta({ id: 'Factors' })
export type Factors = z.infer<typeof factors>

/** Told once, when they are made. */
const codes = z.object({ recovery_codes: z.array(z.string()) })

const anyone = ['anyone'] as const
const session = ['session'] as const
/** Six digits of an app, or a recovery code. */
const code = text(40).trim()

export const loginFactor = endpoint({
  method: 'POST',
  path: '/api/v1/auth/login/factor/',
  callers: anyone,
  summary: 'Sign in: the second step, with a code or a passkey',
  body: z.object({
    ticket: text(100),
    code: code.optional(),
    passkey: passkeyAnswer.optional(),
    /** What waits to be connected (docs/rules/people.md 11). */
    link: text(100).optional(),
  }),
  response: user,
  evenWhenDiskIsFull: true,
})

export const askPasskey = endpoint({
  method: 'POST',
  path: '/api/v1/auth/passkey/options/',
  callers: anyone,
  summary: 'What to ask an authenticator: of whoever has a ticket, is signed in, or any passkey of this site',
  body: z.object({ ticket: text(100).optional() }),
  response: z.object({ key: z.string(), options }),
})

export const loginPasskey = endpoint({
  method: 'POST',
  path: '/api/v1/auth/login/passkey/',
  callers: anyone,
  summary: 'Sign in with a passkey alone',
  body: passkeyAnswer.extend({ remember: flag.default(false) }),
  response: user,
  evenWhenDiskIsFull: true,
})

export const prove = endpoint({
  method: 'POST',
  path: '/api/v1/auth/proof/',
  callers: session,
  summary: 'Show once more who one is; good for fifteen minutes of what is dangerous',
  isPersonal: true,
  body: z.object({
    password: text(1000).optional(),
    code: code.optional(),
    passkey: passkeyAnswer.optional(),
  }),
  response: null,
  status: 204,
})

export const showFactors = endpoint({
  method: 'GET',
  path: '/api/v1/auth/factors/',
  callers: session,
  summary: "The caller's second factors",
  response: factors,
})

const wanted = { 403: proofWanted } as const

export const beginTotp = endpoint({
  method: 'POST',
  path: '/api/v1/auth/factors/totp/',
  callers: session,
  summary: 'Begin with an authenticator app: its key, shown this once; it counts when a code of it was given',
  answers: wanted,
  response: z.object({ secret: z.string(), uri: z.string() }),
})

export const confirmTotp = endpoint({
  method: 'POST',
  path: '/api/v1/auth/factors/totp/confirm/',
  callers: session,
  summary: 'The app counts from now on; with the first factor come recovery codes',
  answers: wanted,
  body: z.object({ code }),
  response: codes,
})

export const removeTotp = endpoint({
  method: 'DELETE',
  path: '/api/v1/auth/factors/totp/',
  callers: session,
  summary: 'The authenticator app counts no more',
  answers: wanted,
  response: null,
  status: 204,
})

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/v1/auth/factors/passkeys/options/',
  callers: session,
  summary: 'What to ask an authenticator for a new passkey',
  answers: wanted,
  response: z.object({ key: z.string(), options }),
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/v1/auth/factors/passkeys/',
  callers: session,
  summary: 'Adds a passkey; with the first factor come recovery codes',
  answers: wanted,
  body: passkeyMade.extend({ name: text(60).trim() }),
  response: codes.extend({ passkey }),
  status: 201,
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/v1/auth/factors/passkeys/:id/',
  callers: session,
  summary: 'Removes a passkey',
  answers: wanted,
  params: z.object({ id }),
  response: null,
  status: 204,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/v1/auth/factors/recovery_codes/',
  callers: session,
  summary: 'Ten new recovery codes; the old ones open nothing any more',
  answers: wanted,
  response: codes,
})

export const keepFactors = endpoint({
  method: 'POST',
  path: '/api/v1/auth/factors/keep/',
  callers: anyone,
  summary: 'Objects to a reset of the factors: by the link in the letter, or signed in',
  isPersonal: true,
  body: z.object({ link: text(200).optional() }),
  response: null,
  status: 204,
})
