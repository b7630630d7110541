import { z } from 'zod'
import { operators } from '../callers.ts'
import { endpoint, plainRefusal } from '../endpoint.ts'
import {
  acknowledgeAlert,
  cancelPrint,
  commandResult,
  muteCurrentPrint,
  pausePrint,
  resumePrint,
} from '../printers/printers.ts'
import { id, upload } from '../values.ts'

const one = z.object({ id })
const owner = ['session', 'oauth'] as const

/** Old apps ask by GET (docs/wire/rest.md 6): for OAuth callers and the mobile app alone, 405 for other browsers. */
const legacy = <const P extends `/${string}/`>({ path }: { path: P }) =>
  endpoint({
    method: 'GET',
    path,
    callers: owner,
    summary: 'As POST, for old apps: OAuth callers and the mobile app only',
    params: one,
    response: commandResult,
  })
export const legacyCommands = {
  pause: legacy(pausePrint),
  resume: legacy(resumePrint),
  cancel: legacy(cancelPrint),
} as const
export const legacyMute = endpoint({ ...legacy(muteCurrentPrint), query: muteCurrentPrint.query })
export const legacyAcknowledge = endpoint({ ...legacy(acknowledgeAlert), query: acknowledgeAlert.query })

/** Text that the route checks by hand, to refuse it in a shape of its own. */
const said = (description: string) => z.unknown().meta({ type: 'string', description })

/** For apps that manage a printer without an agent; refused as `{"filename": "…"}`. */
export const startPrint = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/start_print/',
  callers: operators,
  summary:
    'A print has begun on a printer without an agent; `filename` is required, a running print is finished first',
  params: one,
  body: z.object({ filename: said('The file that is printed').optional() }),
  answers: { 400: plainRefusal },
  response: commandResult,
})

export const finishPrint = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/finish_print/',
  callers: operators,
  summary: 'The print has ended; `status` is success (default) or cancelled',
  params: one,
  body: z.object({ status: said('`success` or `cancelled`').optional() }),
  answers: { 400: plainRefusal },
  response: commandResult,
  evenWhenDiskIsFull: true,
})

/** What the detector saw in a picture of an app; boxes as centre and size in pixels. Nothing is alerted or paused. */
export const prediction = z
  .object({
    p: z.number(),
    temporal_stats: z.object({
      ewm_mean: z.number(),
      rolling_mean_short: z.number(),
      rolling_mean_long: z.number(),
      prediction_num: z.int(),
      prediction_num_lifetime: z.int(),
    }),
    detections: z.array(
      z.tuple([z.string(), z.number(), z.tuple([z.number(), z.number(), z.number(), z.number()])]),
    ),
  })
  .meta({ id: 'Prediction' })
export type Prediction = z.infer<typeof prediction>

export const predict = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/predict/',
  callers: operators,
  summary: 'Judge a picture (multipart `img`) of the current print',
  params: one,
  bodyLimit: 10 * 1024 * 1024,
  body: z.object({ img: upload.optional() }),
  answers: { 400: plainRefusal },
  response: z.object({ result: prediction }),
})
