import { archivePrinter } from '@vigil/contract/printers/printers.ts'
import { call } from '../../../lib/call.ts'

/** Archives a printer: it is kept, but neither shown in the list nor watched. */
export const putAway = (id: number) => call(archivePrinter, { params: { id } })
