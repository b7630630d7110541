import {
  createShareLink,
  deleteShareLink,
  enableSharing,
  getSharedPrinter,
  listShareLinks,
  type ShareLink,
  type ShareLinkWrite,
  unlockSharedPrinter,
  updateShareLink,
} from '@vigil/contract/remote/sharing.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** Viewers come and go: looked at this often while the dialog is open. */
const LOOK_MS = 5_000

export function linksQuery(printerId: number) {
  return queryOptions({
    queryKey: ['shareLinks', printerId] as const,
    queryFn: () => call(listShareLinks, { params: { id: printerId } }),
    refetchInterval: LOOK_MS,
    staleTime: 0,
  })
}

/** Sharing is on or off: on makes the default link, off takes every link away. */
export const switchOn = (printerId: number) =>
  call(enableSharing, { query: { printer_id: printerId }, body: {} })

export async function switchOff(links: ShareLink[]): Promise<void> {
  await Promise.all(links.map(({ id }) => revokeLink(id)))
}

export const addLink = (printerId: number, link: Partial<ShareLinkWrite>) =>
  call(createShareLink, { params: { id: printerId }, body: link })

export const changeLink = (id: number, link: Partial<ShareLinkWrite>) =>
  call(updateShareLink, { params: { id }, body: link })

export const revokeLink = (id: number) => call(deleteShareLink, { params: { id } })

/** What a share link shows. 404: no such link any more. 401: its PIN comes first. */
export function sharedQuery(token: string) {
  return queryOptions({
    queryKey: ['shared', token] as const,
    queryFn: () => call(getSharedPrinter, { query: { share_token: token } }),
    staleTime: Infinity,
    gcTime: 0,
  })
}

export const unlock = (token: string, pin: string) =>
  call(unlockSharedPrinter, { body: { share_token: token, pin } })
