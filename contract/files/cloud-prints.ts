import { z } from 'zod'
import { operators, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { id, text, timestamp } from '../values.ts'

/**
 * How far a file of the cloud has come on its way into a print: `sending` to the agent, `sent`, `downloading` by it, `storing` on
 * the printer, `starting` (the printer prints it: it heats, it homes), `printing` its first layer, or `failed`.
 */
export const cloudPrintState = z.enum([
  'sending',
  'sent',
  'downloading',
  'storing',
  'starting',
  'printing',
  'failed',
])
export type CloudPrintState = z.infer<typeof cloudPrintState>

/**
 * Why a file is not printed. Before anything was sent: `deleted`, `no_content`, `off`, `not_connected`, `busy`, `too_old`,
 * `unavailable`, `not_sent`. After that: `refused` by the agent, `no_answer` from it, `download_died`, `not_started` although it was
 * fetched, `not_utf8` for OctoPrint's plug-in to store, `incomplete` on the printer, `cancelled` before its first layer, `other_print` has begun.
 */
export const cloudPrintReason = z.enum([
  'deleted',
  'no_content',
  'off',
  'not_connected',
  'busy',
  'too_old',
  'unavailable',
  'not_sent',
  'refused',
  'no_answer',
  'download_died',
  'not_started',
  'not_utf8',
  'incomplete',
  'cancelled',
  'other_print',
])
export type CloudPrintReason = z.infer<typeof cloudPrintReason>

/** A file of the cloud on its way into a print; it ends with the first layer, or fails. Sizes in bytes. */
export const cloudPrint = z
  .object({
    id: z.int(),
    printer: z.int(),
    g_code_file: z.int().nullable(),
    filename: z.string(),
    state: cloudPrintState,
    reason: cloudPrintReason.nullable(),
    /** The reason in words, in the reader's language. */
    detail: z.string().nullable(),
    num_bytes: z.int(),
    bytes_sent: z.int(),
    /** The print that came of it. */
    print: z.int().nullable(),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'CloudPrint' })
export type CloudPrint = z.infer<typeof cloudPrint>

/** Nothing was sent. */
const refused = z.object({ detail: z.string(), reason: cloudPrintReason }).meta({ id: 'CloudPrintRefused' })

/** The same file asked for again, while it is on its way to that printer, is the same hand-over. */
export const startCloudPrint = endpoint({
  method: 'POST',
  path: '/api/v1/cloud_prints/',
  callers: operators,
  summary: 'Prints a file of the cloud on a printer',
  body: z.object({ printer: id, g_code_file: id }),
  status: 201,
  answers: { 200: cloudPrint, 409: refused },
  response: cloudPrint,
})

export const getCloudPrint = endpoint({
  method: 'GET',
  path: '/api/v1/cloud_prints/:id/',
  callers: readers,
  ofAccount: true,
  summary: 'How far a file is on its way into a print',
  params: z.object({ id }),
  response: cloudPrint,
})

export const listCloudPrints = endpoint({
  method: 'GET',
  path: '/api/v1/cloud_prints/',
  callers: readers,
  ofAccount: true,
  summary: 'The newest hand-overs of files to printers, at most 20',
  query: z.object({
    printer: id.optional(),
    g_code_file: id.optional(),
    /** `true`: those alone that are under way. */
    under_way: text(10).optional(),
  }),
  response: z.array(cloudPrint),
})
