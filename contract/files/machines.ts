import { z } from 'zod'
import { managers, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { id, text, timestamp } from '../values.ts'

const mm = (most: number) => z.number().positive().max(most).nullable()

/** What an owner says of a printer by hand; null is "not said". Lengths in mm. */
export const machineSaid = z
  .object({
    bed_width: mm(5000),
    bed_depth: mm(5000),
    height: mm(5000),
    nozzle_diameter: mm(10),
    model: text(100).nullable(),
  })
  .meta({ id: 'MachineSaid' })
export type MachineSaid = z.infer<typeof machineSaid>

/** What a printer's agent told of it; null is "not told". Lengths in mm, °C; a heated bed that there is none of is 0. */
export const machineTold = machineSaid
  .extend({ nozzle_temp_max: z.number().nullable(), bed_temp_max: z.number().nullable() })
  .meta({ id: 'MachineTold' })
export type MachineTold = z.infer<typeof machineTold>

/** A printer as a machine: what its agent told of it, and what its owner said, which goes before. */
export const machine = z
  .object({ said: machineSaid, told: machineTold.nullable(), told_at: timestamp.nullable() })
  .meta({ id: 'Machine' })
export type Machine = z.infer<typeof machine>

/**
 * One thing in which a file and a printer were compared. `warns`: they do not go together; `unknown`: one of the two is not known, and
 * null. `file` and `printer` as people write them, without the unit: `220 × 220`, `0.4`, `MK4`. `bed` is the size of what is printed,
 * `place` where on the bed that is.
 */
export const fitReason = z
  .object({
    about: z.enum(['bed', 'place', 'origin', 'height', 'nozzle', 'model', 'nozzle_temp', 'bed_temp']),
    verdict: z.enum(['warns', 'unknown']),
    file: z.string().nullable(),
    printer: z.string().nullable(),
  })
  .meta({ id: 'FitReason' })
export type FitReason = z.infer<typeof fitReason>

/** Whether a printer can print a file, as far as is known. It advises; nothing is refused for it. */
export const fit = z
  .object({ verdict: z.enum(['fits', 'warns', 'unknown']), reasons: z.array(fitReason) })
  .meta({ id: 'Fit' })
export type Fit = z.infer<typeof fit>

/** One of the account's printers, and whether it can print the file. */
export const printerFit = z
  .object({ printer: z.object({ id: z.int(), name: z.string() }), fit })
  .meta({ id: 'PrinterFit' })
export type PrinterFit = z.infer<typeof printerFit>

const params = z.object({ id })

export const getMachine = endpoint({
  method: 'GET',
  path: '/api/v1/printers/:id/machine/',
  callers: readers,
  summary: 'What is known of this printer as a machine: bed, height, nozzle, highest temperatures',
  params,
  response: machine,
})

export const patchMachine = endpoint({
  method: 'PATCH',
  path: '/api/v1/printers/:id/machine/',
  callers: managers,
  summary: 'Says by hand what this printer is; null takes it back',
  params,
  body: machineSaid.partial(),
  response: machine,
})

export const listPrinterFits = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_files/:id/printers/',
  callers: readers,
  ofAccount: true,
  summary: "Which of the caller's printers can print this file",
  params,
  response: z.array(printerFit),
})
