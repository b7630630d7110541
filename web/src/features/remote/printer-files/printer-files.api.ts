import { listGCodeFiles } from '@vigil/contract/files/gcode-files.ts'
import { deletePrinterFile } from '@vigil/contract/remote/printer-files.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { queryOptions, type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import type { Call, PrinterEntry } from '../../../printer/driver/driver.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { useLive } from '../../../printer/live/printer-line.ts'

const KEY = 'printerFiles'
const KNOWN_MS = 10_000

/** What a printer's agent said instead of what it was asked, or that it said nothing. */
export class NotTold extends Error {}

/** Asks the printer's agent over its line, as soon as that is open. */
function useAsked<T>(
  printer: Printer,
  key: readonly unknown[],
  asked: Call | null,
  read: (ret: unknown) => T,
) {
  const line = useLive(printer.id)
  const { run } = useDriver(printer)
  return useQuery({
    queryKey: [KEY, printer.id, ...key],
    queryFn: async () => {
      const outcome = await run(asked as Call, { quiet: true })
      if (!outcome.done) throw new NotTold(outcome.words)
      return read(outcome.ret)
    },
    enabled: line === 'open' && asked !== null,
    staleTime: KNOWN_MS,
    retry: false,
  })
}

/** What lies in a folder of a printer; with `q`, what is called like that, in all folders where the agent can look there. */
export function usePrinterFolder(printer: Printer, folder: string, q = '') {
  const { files } = useDriver(printer).driver
  const isSearch = q !== '' && files.search !== null
  const asked = isSearch ? (files.search?.ask(q) ?? null) : files.list(folder)
  const read = (ret: unknown) => (isSearch ? (files.search?.read(ret) ?? []) : files.read(ret, folder))
  const found = useAsked(printer, [isSearch ? { q } : { folder }], asked, read)
  const entries = found.data?.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  return { ...found, entries, looksEverywhere: files.search !== null }
}

/** What is known of one file; undefined while it is asked, null where there is none. */
export function usePrinterFile(printer: Printer, path: string) {
  const at = path.lastIndexOf('/')
  const folder = usePrinterFolder(printer, at === -1 ? '' : path.slice(0, at))
  const entry: PrinterEntry | null | undefined =
    folder.data && (folder.data.find((one) => one.kind === 'file' && one.path === path) ?? null)
  const { files } = useDriver(printer).driver
  const asked = entry ? (files.details?.(path) ?? null) : null
  const { data: facts } = useAsked(printer, [{ details: path }], asked, (ret) => files.readDetails(ret))
  return { ...folder, entry: entry && facts ? { ...entry, facts } : entry }
}

/** Records of this very file: of prints on this printer, and of the cloud's file that it is a copy of. */
export const matchesQuery = (printer: number, safe_filename: string, agent_signature: string) =>
  queryOptions({
    queryKey: ['g-code', 'matches', printer, safe_filename, agent_signature] as const,
    queryFn: async () => {
      const query = { resident_printer: printer, safe_filename, agent_signature, page: 1, page_size: 24 }
      return (await call(listGCodeFiles, { query })).results
    },
    staleTime: 0,
  })

/** Deletes a file on a printer; throws a CallError that says why not. */
export async function deleteFile(client: QueryClient, printer: number, path: string): Promise<void> {
  await call(deletePrinterFile, { params: { id: printer }, body: { path } })
  await client.invalidateQueries({ queryKey: [KEY, printer] })
}
