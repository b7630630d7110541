import { z } from 'zod'
import { readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { temperatureSample } from './printers.ts'
import { id } from '../values.ts'

/** Every heater over the whole print, oldest first, a point every 30 s; of a very long print fewer. */
export const getPrintTemperatures = endpoint({
  method: 'GET',
  path: '/api/v1/prints/:id/temperatures/',
  callers: readers,
  summary: 'Actual and target of every heater over the whole print',
  params: z.object({ id }),
  response: z.object({ heaters: z.record(z.string(), z.array(temperatureSample)) }),
})
