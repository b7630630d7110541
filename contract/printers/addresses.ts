import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** From where an address leads to this server: from its own machine, from its network, from everywhere. */
export const reach = z.enum(['machine', 'network', 'everywhere'])
export type Reach = z.infer<typeof reach>

export const listAddresses = endpoint({
  method: 'GET',
  path: '/api/v1/addresses/',
  callers: ['session'],
  summary: 'How far the address of a page leads, and addresses of this server that lead further',
  query: z.object({
    /** The page's own, prefix included. */
    at: z.url({ protocol: /^https?$/ }).max(2000),
  }),
  response: z.object({
    reach,
    /** Best first, without a slash at the end; those of the machine only for who is at it. */
    further: z.array(z.object({ address: z.string(), reach })),
    /** The server listens for its own machine alone. */
    only_here: z.boolean(),
  }),
})
