import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { timestamp } from '../values.ts'

/** Prints whose moments can be shown to the assistant. */
export const listPictured = endpoint({
  method: 'GET',
  path: '/jusprin/api/prints/',
  callers: ['session', 'oauth', 'assistant'],
  summary: "The caller's last 20 prints of which there are pictures, the newest first",
  response: z.array(
    z.object({
      id: z.int(),
      filename: z.string(),
      printer_name: z.string().nullable(),
      started_at: timestamp.nullable(),
    }),
  ),
})
