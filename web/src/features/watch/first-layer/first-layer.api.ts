import { getPrinterExt, patchPrinterExt, type PrinterExt } from '@vigil/contract/watch/first-layer.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export type Ext = PrinterExt['ext']

/** The nozzle camera of a printer, and the scan of its first layer. */
export function extQuery(printerId: number) {
  return queryOptions({
    queryKey: ['ext', printerId] as const,
    queryFn: async () => (await call(getPrinterExt, { params: { id: printerId } })).ext,
  })
}

/** Changes one field; answers with all of them. */
export const saveExt = async (
  printerId: number,
  change: Partial<Omit<Ext, 'printer' | 'updated_at'>>,
): Promise<Ext> => (await call(patchPrinterExt, { params: { id: printerId }, body: change })).ext
