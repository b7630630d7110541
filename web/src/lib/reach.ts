import { listAddresses, type Reach } from '@vigil/contract/printers/addresses.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { basePath, serverUrl } from './base.ts'
import { call } from './call.ts'

/** This page's address of the server, prefix included, without the last slash. */
export const pageAddress = serverUrl('/').replace(/\/$/, '')

const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: () => call(listAddresses, { query: { at: pageAddress } }),
  staleTime: Infinity,
})

/** The address that is given to others, and what is to be said of it. */
export interface Given {
  /** Without a slash at the end. */
  address: string
  choose: (address: string) => void
  /** How far this page's own address leads, where that is less far than wanted; null where all is well. */
  short: Exclude<Reach, 'everywhere'> | null
  /** What leads further, best first. */
  further: readonly string[]
  /** Nobody else can reach the server as it is started. */
  onlyHere: boolean
}

/** An address of this server that leads as far as is wanted, if there is one: this page's own, or the best other one. */
export function useGiven(wanted: Exclude<Reach, 'machine'>): Given {
  const { data } = useQuery(addressesQuery)
  const [chosen, choose] = useState<string | null>(null)
  const short = data && (data.reach === 'machine' || (data.reach === 'network' && wanted === 'everywhere'))
  const further = short ? data.further.map(({ address }) => address) : []
  return {
    address: chosen ?? further[0] ?? pageAddress,
    choose,
    short: short ? (data.reach as Given['short']) : null,
    further,
    onlyHere: data?.only_here ?? false,
  }
}

/** What stands after the server's address in that of this page. */
export const pathOfPage = (): string => `/${location.pathname.slice(basePath.length)}${location.search}`
