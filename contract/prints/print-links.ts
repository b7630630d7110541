import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, timestamp } from '../values.ts'

/** The link by which whoever has it sees the time-lapse of a print; `url` is null while there is none, and empty for an administrator who acts as its owner. */
export const printLink = z
  .object({
    print_id: z.int(),
    url: z.string().nullable(),
    created_at: timestamp.nullable(),
    /** Why it shows nothing, or can't be made: there is no video, or links are switched off on this server. */
    obstacle: z.enum(['no_video', 'switched_off']).nullable(),
  })
  .meta({ id: 'PrintLink' })
export type PrintLink = z.infer<typeof printLink>

const owner = ['session', 'oauth'] as const
const path = '/api/v1/prints/:id/link/'
const params = z.object({ id })

export const getPrintLink = endpoint({
  method: 'GET',
  path,
  callers: owner,
  summary: 'The link to the time-lapse of a print',
  params,
  response: printLink,
})

export const makePrintLink = endpoint({
  method: 'PUT',
  path,
  callers: owner,
  isPersonal: true,
  summary: 'Make a link to the time-lapse of a print, or keep the one there is',
  params,
  response: printLink,
})

export const revokePrintLink = endpoint({
  method: 'DELETE',
  path,
  callers: owner,
  summary: 'Take the link back: it shows nothing from now on',
  params,
  response: printLink,
})

/** What such a link shows: whose it is, the film and the gauge, and nothing else of the print. */
export const sharedTimelapse = z
  .object({
    /** null where the owner has given the account no name. */
    creator_name: z.string().nullable(),
    video_url: z.string(),
    poster_url: z.string().nullable(),
    /** The gauge, 0 to 1, one for each picture of the film; null where nobody looked; empty when nothing is known. */
    predictions: z.array(z.object({ p: z.number().nullable() })),
  })
  .meta({ id: 'SharedTimelapse' })
export type SharedTimelapse = z.infer<typeof sharedTimelapse>

export const getSharedTimelapse = endpoint({
  method: 'GET',
  path: '/api/v1p/timelapse/',
  callers: ['anyone'],
  summary: 'What a link to a time-lapse shows; 404 without a live link',
  query: z.object({ share_token: z.string().optional() }),
  response: sharedTimelapse,
})
