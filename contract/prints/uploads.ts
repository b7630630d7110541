import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { print } from './prints.ts'
import { number, text } from '../values.ts'

/** Largest film that is taken. */
export const UPLOAD_BYTES = 100 * 1024 * 1024

/** What is said beside a film; all of it may be left out. */
const body = z.object({
  /** The sender's name for it, where the part of the file has none. */
  filename: text(1000).optional(),
  /** How long the print took, in seconds: a picture is taken each 10 s of it, else 300 over the film. */
  print_seconds: number(1, 60 * 86_400).optional(),
})

const upload = {
  method: 'POST',
  callers: ['session', 'oauth'],
  upload: 'file',
  body,
  response: print,
  status: 201,
} as const

/** `.mp4` or `.mpg`, in the part `file`. Of other kinds 415, too large 413, more than the plan allows in a day 429. */
export const uploadTimelapse = endpoint({
  ...upload,
  path: '/ent/timelapse_upload/',
  summary: 'A time-lapse made elsewhere, to be analysed',
})

/** The same where apps ask for it. */
export const uploadTimelapseApi = endpoint({
  ...upload,
  path: '/ent/api/timelapse_upload/',
  summary: 'A time-lapse made elsewhere, to be analysed (for apps)',
})
