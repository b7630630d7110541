import { z } from 'zod'
import { managers, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { id, timestamp } from '../values.ts'

/** What the detector has learnt of a printer's camera (docs/detector.md). */
export const learnt = z
  .object({
    /** "Not a failure?" so often, and when last; what was seen then no longer counts. */
    sound_answers: z.int(),
    last_sound_answer: timestamp.nullable(),
    /** Share of the picture in which it no longer counts, 0 to 1. */
    dismissed: z.number(),
    confirmed_failures: z.int(),
    /** How long sound pictures were learnt from; at most 20 hours count. */
    seconds: z.number(),
  })
  .meta({ id: 'Learnt' })
export type Learnt = z.infer<typeof learnt>

const params = z.object({ id })
const path = '/api/v1/printers/:id/learnt/'

export const getLearnt = endpoint({
  method: 'GET',
  path,
  callers: readers,
  summary: "What the detector has learnt of this printer's camera",
  params,
  response: learnt,
})

/** The camera is judged without it from the next picture on; what the running print found when it began stays. */
export const deleteLearnt = endpoint({
  method: 'DELETE',
  path,
  callers: managers,
  summary: 'Forget what the detector has learnt of this camera',
  params,
  response: learnt,
})
