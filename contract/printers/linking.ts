import { z } from 'zod'
import { endpoint, plainRefusal } from '../endpoint.ts'
import { printer } from './printers.ts'
import { id, text, timestamp } from '../values.ts'

export const verificationCode = z
  .object({
    id: z.int(),
    printer: printer.nullable(),
    code: z.string(),
    expired_at: timestamp,
    verified_at: timestamp.nullable(),
  })
  .meta({ id: 'OneTimeVerificationCode' })
export type VerificationCode = z.infer<typeof verificationCode>

export const getCode = endpoint({
  method: 'GET',
  path: '/api/v1/onetimeverificationcodes/',
  callers: ['session', 'oauth'],
  summary: "The caller's open 6-digit code, or a new one",
  isPersonal: true,
  query: z.object({
    printer_id: id.optional(),
    /** Whose printer a new one becomes: an account whose household the caller runs; their own unless given. */
    account: id.optional(),
  }),
  response: verificationCode,
})

export const pollCode = endpoint({
  method: 'GET',
  path: '/api/v1/onetimeverificationcodes/:id/',
  callers: ['session', 'oauth'],
  summary: 'One code, also when expired; verified_at says that the printer is linked',
  isPersonal: true,
  params: z.object({ id }),
  response: verificationCode,
})

export const matchPasscode = endpoint({
  method: 'POST',
  path: '/api/v1/one_time_passcodes/',
  callers: ['session'],
  summary: "Bind a printer's 5-character passcode to the caller's code",
  body: z.object({ one_time_passcode: text(64), verification_code: text(64) }),
  response: z.object({ detail: z.string() }),
})

/** What an unlinked agent announces (docs/wire/agents.md 2.2); unknown keys travel along. */
export const announcement = z.looseObject({
  device_id: z.string(),
  hostname: z.string().optional(),
  host_or_ip: z.string().optional(),
  port: z.number().optional(),
  os: z.string().optional(),
  arch: z.string().optional(),
  rpi_model: z.string().optional(),
  octopi_version: z.string().optional(),
  plugin_version: z.string().optional(),
  agent: z.string().optional(),
  printerprofile: z.string().optional(),
  machine_type: z.string().optional(),
  /** Said by us: this agent cannot be linked from the list before it is updated to `min_version`. */
  too_old: z.literal(true).optional(),
  min_version: z.string().optional(),
})
export type Announcement = z.infer<typeof announcement>

export const listDiscovered = endpoint({
  method: 'GET',
  path: '/api/v1/printer_discovery/',
  callers: ['session'],
  summary: "Unlinked printers on the caller's own network",
  response: z.array(announcement),
})

export const autoLink = endpoint({
  method: 'POST',
  path: '/api/v1/printer_discovery/',
  callers: ['session'],
  summary: 'Queue the hand-shake secret for a discovered printer',
  /** Absent fields are answered by hand: `{"code": "missing param"}` (docs/wire/rest.md 3). */
  body: z.object({ code: text(64), device_id: text(64), device_secret: text(256) }).partial(),
  answers: { 400: plainRefusal },
  response: z.object({ queued: z.literal(true) }),
})

/** An unlinked agent polls; at most one message a poll (docs/wire/agents.md 2.2). */
export const announce = endpoint({
  method: 'POST',
  path: '/api/v1/octo/unlinked/',
  callers: ['anyone'],
  summary: 'An agent without a printer announces itself and asks for messages',
  body: z.looseObject({
    device_id: text(64),
    host_or_ip: text(253).nullish(),
    /** Some agents send it as text, some none. */
    port: z
      .unknown()
      .meta({ type: ['integer', 'string', 'null'] })
      .optional(),
    one_time_passcode: text(64).nullish(),
  }),
  response: z.object({
    messages: z.array(
      z.object({
        device_id: z.string(),
        type: z.literal('verify_code'),
        data: z.object({ code: z.string(), secret: z.string() }),
      }),
    ),
    one_time_passcode: z.string().optional(),
    one_time_passlink: z.string().optional(),
    verification_code: z.string().optional(),
  }),
})

const verify = {
  callers: ['anyone'],
  summary: 'An agent hands in a 6-digit code and gets its token',
  query: z.object({ code: text(64).optional() }),
  response: verificationCode,
} as const
/** The code stands in the query, or else in the body. */
const handIn = { ...verify, method: 'POST', body: z.object({ code: text(64).optional() }) } as const

export const verifyCode = endpoint({ ...handIn, path: '/api/v1/octo/verify/' })
export const verifyCodeByGet = endpoint({ ...verify, method: 'GET', path: '/api/v1/octo/verify/' })
/** OctoPrint plugin 1.5 to 1.8.3. */
export const verifyCodeLegacy = endpoint({ ...handIn, path: '/api/v1/onetimeverificationcodes/verify/' })

/** A printer that ships with an agent. `image_url` is an address of this server, a `data:` picture or null. */
export const wizardProduct = z
  .object({ brand: z.string(), model: z.string(), image_url: z.string().nullable() })
  .meta({ id: 'WizardProduct' })
export type WizardProduct = z.infer<typeof wizardProduct>

export const listWizardProducts = endpoint({
  method: 'GET',
  path: '/api/v1/wizard/products/',
  callers: ['anyone'],
  summary: 'Printers that ship with an agent, for the first page of the link wizard',
  response: z.array(wizardProduct),
})

/**
 * Server → browser on /ws/link/{codeId}/ (session; 404 unless the code is the caller's own). First `waiting`, with
 * why the list of printers on the network may stay empty: `off` (switched off by the operator), `unknown_network`
 * (a proxy hides where the browser is), `crowded` (too many printers behind one public address), `on`. Then
 * `verified_at` or `expired`, and the socket closes with 1000. An expired code is renewed by GET
 * onetimeverificationcodes/, which has a new id. The page keeps polling as the fall-back.
 */
export const linkFrameOut = z.union([
  z.object({
    waiting: z.literal(true),
    expired_at: timestamp,
    discovery: z.enum(['on', 'off', 'unknown_network', 'crowded']),
  }),
  z.object({
    verified_at: timestamp,
    printer: z.object({ id: z.int(), name: z.string() }).nullable(),
  }),
  z.object({ expired: z.literal(true) }),
])
export type LinkFrame = z.infer<typeof linkFrameOut>
