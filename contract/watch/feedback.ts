import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { printShotFeedback } from '../prints/prints.ts'
import { id, page } from '../values.ts'

/** What an owner can say of a picture of a print. */
export const SHOT_ANSWERS = ['LOOKS_BAD', 'LOOKS_OK', 'UNDECIDED'] as const
export type ShotAnswer = (typeof SHOT_ANSWERS)[number]

const callers = ['session', 'oauth'] as const
const path = '/api/v1/printshotfeedbacks/:id/'
const ofPrint = { print_id: id.optional() }

export const listShots = endpoint({
  method: 'GET',
  path: '/api/v1/printshotfeedbacks/',
  callers,
  summary: "Pictures of the caller's prints that they are asked about, in the order they were taken",
  query: z.object({ ...ofPrint, ...page(1000, 1000) }),
  response: z.array(printShotFeedback),
})

export const getShot = endpoint({
  method: 'GET',
  path,
  callers,
  summary: 'A picture that its owner is asked about',
  params: z.object({ id }),
  query: z.object(ofPrint),
  response: printShotFeedback,
})

const answer = {
  path,
  callers,
  summary: 'What the owner sees in a picture; the last answer of a print earns 2 hours, once',
  params: z.object({ id }),
  query: z.object(ofPrint),
  body: z.object({ answer: z.enum(SHOT_ANSWERS) }),
  response: z.object({
    instance: printShotFeedback,
    /** 2 with the answer that leaves no picture of the print unanswered for the first time, else 0. */
    credited_dhs: z.number(),
  }),
} as const
export const putShot = endpoint({ ...answer, method: 'PUT' })
export const patchShot = endpoint({ ...answer, method: 'PATCH' })
