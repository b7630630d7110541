import { z } from 'zod'
import { managers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { id, text } from '../values.ts'

/**
 * Why a file on a printer was not deleted: it is being printed (`in_use`), the printer's agent is not there (`off`), is too old to be
 * asked that (`not_supported`), was not reached (`not_sent`), did not answer (`no_answer`), or said no (`refused`).
 */
export const printerFileReason = z.enum([
  'in_use',
  'off',
  'not_supported',
  'not_sent',
  'no_answer',
  'refused',
])
export type PrinterFileReason = z.infer<typeof printerFileReason>

/** The path of a file on a printer: no way out of its folder. */
const path = text(1000).refine(
  (value) =>
    value !== '' && !/[\r\n]/.test(value) && !value.startsWith('/') && !value.split('/').includes('..'),
  { error: 'Not a path.' },
)

export const deletePrinterFile = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/delete_file/',
  callers: managers,
  summary: 'Deletes a file that lies on a printer; never the one that is being printed',
  params: z.object({ id }),
  body: z.object({ path }),
  answers: {
    409: z.object({ detail: z.string(), reason: printerFileReason }).meta({ id: 'PrinterFileNotDeleted' }),
  },
  status: 204,
  response: null,
})
