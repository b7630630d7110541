import {
  getMachine,
  listPrinterFits,
  type MachineSaid,
  patchMachine,
} from '@vigil/contract/files/machines.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** Which of the account's printers can print a file. */
export function fitsQuery(fileId: number) {
  return queryOptions({
    queryKey: ['fits', fileId] as const,
    queryFn: () => call(listPrinterFits, { params: { id: fileId } }),
    staleTime: 30_000,
  })
}

export function machineQuery(printerId: number) {
  return queryOptions({
    queryKey: ['machine', printerId] as const,
    queryFn: () => call(getMachine, { params: { id: printerId } }),
  })
}

export const saveMachine = (printerId: number, change: Partial<MachineSaid>) =>
  call(patchMachine, { params: { id: printerId }, body: change })
