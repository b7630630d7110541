import {
  acknowledgeAlert,
  cancelPrint,
  type CommandResult,
  deletePrinter,
  getPrinter,
  listPrinters,
  muteCurrentPrint,
  pausePrint,
  type Printer,
  type PrinterWrite,
  resumePrint,
  updatePrinter,
} from '@vigil/contract/printers/printers.ts'
import { listPrints } from '@vigil/contract/prints/prints.ts'
import { queryOptions } from '@tanstack/react-query'
import { isMine } from './rights.ts'
import { call } from '../lib/call.ts'
import { serverNow } from '../lib/clock.ts'
import { mergePrinter } from './live/merge.ts'
import { LIST_KEY, oneKey } from './held.ts'

/** All of the caller's printers. Cards off the screen have no socket: a poll keeps them true. */
export const printersQuery = queryOptions({
  queryKey: LIST_KEY,
  queryFn: async ({ client }) => {
    const said = await call(listPrinters, { query: { with_archived: 'true' } })
    const held = client.getQueryData<Printer[]>(LIST_KEY)
    return said.map((printer) =>
      mergePrinter(
        held?.find(({ id }) => id === printer.id),
        printer,
        serverNow(),
      ),
    )
  },
  refetchInterval: 15_000,
  // Comparing hundreds of printers to the last leaf costs more than showing them.
  structuralSharing: false,
})

/** Those of the account itself: what is shared with it is left out. */
export const ownPrintersQuery = queryOptions({
  ...printersQuery,
  select: (all: Printer[]) => all.filter(isMine),
})

export function printerQuery(id: number) {
  return queryOptions({
    queryKey: oneKey(id),
    queryFn: async ({ client }) => {
      const said = await call(getPrinter, { params: { id }, query: { with_archived: 'true' } })
      return mergePrinter(client.getQueryData<Printer>(oneKey(id)), said, serverNow())
    },
    refetchInterval: 30_000,
  })
}

/** An agent tells the end of a print a little later: asked again up to so often, each time more slowly. */
const LAST_PRINT_TRIES = 5

/** The print that was last on a printer, asked anew when it gets busy or idle (docs/rules/pages.md 2). */
export function lastPrintQuery(printerId: number, isBusy: boolean) {
  return queryOptions({
    queryKey: ['lastPrint', printerId, isBusy] as const,
    queryFn: async () => {
      const query = { start: 0, limit: 1, filter_by_printer_ids: [printerId], sorting: 'date_desc' as const }
      return (await call(listPrints, { query }))[0] ?? null
    },
    placeholderData: (known, query) => (query?.queryKey[1] === printerId ? known : undefined),
    staleTime: 0,
    // Forgotten at once: the next print's end is counted from the start.
    gcTime: 0,
    refetchInterval: ({ state }) => {
      const open = state.data != null && state.data.ended_at === null
      return open && state.dataUpdateCount < LAST_PRINT_TRIES ? state.dataUpdateCount * 1_000 : false
    },
  })
}

/** What an owner can tell a printer; each answers whether it was sent, and why not. */
export const commands = {
  pause: (id: number, print_id?: number) => call(pausePrint, { params: { id }, query: { print_id } }),
  resume: (id: number, print_id?: number, alert_overwrite?: 'FAILED' | 'NOT_FAILED') =>
    call(resumePrint, { params: { id }, query: { print_id, alert_overwrite } }),
  cancel: (id: number, print_id?: number) => call(cancelPrint, { params: { id }, query: { print_id } }),
  mute: (id: number, muted: boolean, print_id?: number) =>
    call(muteCurrentPrint, { params: { id }, query: { mute_alert: String(muted), print_id } }),
  notFailed: (id: number, print_id?: number) =>
    call(acknowledgeAlert, { params: { id }, query: { alert_overwrite: 'NOT_FAILED', print_id } }),
} satisfies Record<string, (id: number, ...rest: never[]) => Promise<CommandResult>>

export const savePrinter = (id: number, change: Partial<PrinterWrite>) =>
  call(updatePrinter, { params: { id }, query: { with_archived: 'true' }, body: change })

export const removePrinter = (id: number) =>
  call(deletePrinter, { params: { id }, query: { with_archived: 'true' } })
