import { type CloudPrint, listCloudPrints, startCloudPrint } from '@vigil/contract/files/cloud-prints.ts'
import { listPrinterFits } from '@vigil/contract/files/machines.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { serverNow } from '../../lib/clock.ts'
import { ms } from '../../lib/format.ts'

const KEY = 'cloudPrints'
const CLOSE_MS = 1_000
const IDLE_MS = 15_000
/** What has ended is shown for so long. */
const SHOWN_MS = 2 * 60_000

/** Files on their way into prints: to a printer, or of a file. */
export type HandOversOf = { printer: number } | { g_code_file: number }

/** The newest hand-overs; looked at each second while one is under way. */
export const handOversQuery = (of: HandOversOf) =>
  queryOptions({
    queryKey: [KEY, of] as const,
    queryFn: () => call(listCloudPrints, { query: of }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? CLOSE_MS : IDLE_MS),
  })

export const isUnderWay = ({ ended_at }: CloudPrint): boolean => ended_at === null

/** Under way, or over just now: what a page shows of them. */
export const isToBeShown = (one: CloudPrint): boolean =>
  isUnderWay(one) || serverNow() - (ms(one.ended_at) ?? 0) < SHOWN_MS

/** Tells the printer's agent to fetch and print it. Throws a CallError that says why not. */
export async function start(client: QueryClient, printer: number, g_code_file: number): Promise<CloudPrint> {
  const begun = await call(startCloudPrint, { body: { printer, g_code_file } })
  await lookAgain(client)
  return begun
}

/** Something has begun, or ended, elsewhere. */
export const lookAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: [KEY] })

/** Which printers can print a file, as far as is known. */
export const fitsQuery = (fileId: number) =>
  queryOptions({
    queryKey: ['g-code', 'fits', fileId] as const,
    queryFn: () => call(listPrinterFits, { params: { id: fileId } }),
    staleTime: 30_000,
  })
