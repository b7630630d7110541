import { listMacros, runMacro } from '@vigil/contract/printers/macros.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** A configuration changes with a restart of Klipper, and seldom. */
const KNOWN_MS = 5 * 60_000

/** The macros of a printer's Klipper. */
export const macrosQuery = (printerId: number) =>
  queryOptions({
    queryKey: ['macros', printerId] as const,
    queryFn: () => call(listMacros, { params: { id: printerId } }),
    staleTime: KNOWN_MS,
    retry: false,
  })

/** Runs one; whether it is over already. */
export const run = (printerId: number, name: string, params: Record<string, string>) =>
  call(runMacro, { params: { id: printerId }, body: { name, params } })
