import { z } from 'zod'
import { damagedPicture, endpoint } from '../endpoint.ts'
import { flag, text, upload } from '../values.ts'

/** An agent's snapshot; the file part is named `pic` (docs/wire/agents.md 3.2). */
export const postPicture = endpoint({
  method: 'POST',
  path: '/api/v1/octo/pic/',
  callers: ['printer'],
  summary: "A webcam picture from the printer's agent",
  bodyLimit: 10 * 1024 * 1024,
  body: z.object({
    pic: upload.optional(),
    is_primary_camera: flag.default(true),
    is_nozzle_camera: flag.default(false),
    camera_name: text(1000).default(''),
    viewing_boost: flag.default(false),
  }),
  response: z.object({ result: z.literal('ok') }),
  answers: { 400: damagedPicture },
})
