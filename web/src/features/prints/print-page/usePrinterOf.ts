import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { printerQuery } from '../../../printer/printers.api.ts'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { printKey } from './print-page.api.ts'

export interface PrinterOf {
  /** As it is now; undefined while nothing is known, or when it is gone. */
  data: Printer | undefined
  /** It was deleted since. */
  isDeleted: boolean
}

/** The printer of a print. What can't be fetched is said once, in the error dialog; one that is gone is not a fault. */
export function usePrinterOf(print: Print): PrinterOf {
  const message = useMessages()
  const say = useRef(useErrorDialog())
  const client = useQueryClient()
  const id = print.printer?.id
  const { data, error } = useQuery({
    ...printerQuery(id ?? 0),
    enabled: id !== undefined,
    retry: (count, failure) => count < 2 && problemOf(failure).kind !== 'missing',
  })
  const isDeleted = error !== null && problemOf(error).kind === 'missing'
  const fault = error !== null && !isDeleted && data === undefined ? message('printerFetchFailed') : null
  useEffect(() => {
    if (fault !== null) say.current(fault)
  }, [fault])

  // Its current print changes: this one has begun, or ended.
  const current = data?.current_print?.id ?? null
  const known = useRef<number | null | undefined>(undefined)
  useEffect(() => {
    if (data === undefined) return
    if (known.current !== undefined && known.current !== current)
      void client.invalidateQueries({ queryKey: printKey(print.id) })
    known.current = current
  }, [client, current, data, print.id])
  return { data: isDeleted ? undefined : data, isDeleted }
}
