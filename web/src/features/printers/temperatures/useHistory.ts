import type { Printer } from '@vigil/contract/printers/printers.ts'
import { getTemperatures } from '@vigil/contract/printers/printers.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../lib/call.ts'
import { serverNow } from '../../../lib/clock.ts'
import { readStatus } from '../../../printer/status.ts'
import { addReport, type History, mergeHistory, readHistory } from './history.ts'

const keyOf = (id: number) => ['temperatures', id] as const

/** The last 30 minutes as the server kept them, going on with every status that comes. */
export function useHistory(printer: Printer): { history: History; state: 'loading' | 'failed' | 'ready' } {
  const client = useQueryClient()
  const { id, status } = printer
  const { data, isPending, isError } = useQuery({
    queryKey: keyOf(id),
    queryFn: async () => {
      const { heaters } = await call(getTemperatures, { params: { id } })
      return mergeHistory(readHistory(heaters), client.getQueryData<History>(keyOf(id)) ?? {}, serverNow())
    },
    structuralSharing: false,
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

  // The status that was there first is in the server's answer already, at its own time.
  const noted = useRef(status?._ts)
  useEffect(() => {
    if (!status || noted.current === status._ts) return
    noted.current = status._ts
    const now = serverNow()
    const heaters = readStatus(printer)?.heaters ?? []
    client.setQueryData<History>(keyOf(id), (held) => addReport(held ?? {}, now, heaters, now))
  }, [client, id, printer, status])

  return { history: data ?? {}, state: data ? 'ready' : isError ? 'failed' : isPending ? 'loading' : 'ready' }
}
