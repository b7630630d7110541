import { listGCodeFiles } from '@vigil/contract/files/gcode-files.ts'
import { listPrints } from '@vigil/contract/prints/prints.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** So many are told of each kind. */
export const MOST = 6
const KNOWN_MS = 10_000

const found = <T>(kind: string, q: string, read: () => Promise<T>) =>
  queryOptions({
    queryKey: ['finder', kind, q] as const,
    queryFn: read,
    enabled: q !== '',
    staleTime: KNOWN_MS,
    retry: false,
  })

/** Files of the cloud store with that in their name. */
export const filesNamed = (q: string) =>
  found('files', q, async () => (await call(listGCodeFiles, { query: { q, page_size: MOST } })).results)

/** Prints that are over or run, of a file with that in its name, the newest first. */
export const printsNamed = (q: string) =>
  found('prints', q, () => call(listPrints, { query: { q, limit: MOST } }))
