import {
  getIgnoreZones,
  type IgnoreZones,
  putIgnoreZones,
  type Zone,
} from '@vigil/contract/printers/zones.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export function zonesQuery(printerId: number) {
  return queryOptions({
    queryKey: ['ignoreZones', printerId] as const,
    queryFn: () => call(getIgnoreZones, { params: { id: printerId } }),
  })
}

export const saveZones = (printerId: number, zones: Zone[]): Promise<IgnoreZones> =>
  call(putIgnoreZones, { params: { id: printerId }, body: { zones } })
