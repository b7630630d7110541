import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { everySecond } from '../../lib/clock.ts'
import { useIsLeaving } from '../../lib/session.ts'
import type { SocketState } from '../../lib/socket.ts'
import { BrowserLine, flush } from './browser-line.ts'

/** The server takes no longer list (contract/sockets.ts). */
const MOST_WATCHED = 1000
/** Scrolling tells the server which cards are seen this often at most. */
const TELL_MS = 300
/** From one page to the next it stays open. */
const LINGER_MS = 2_000

let watched: readonly number[] = []
/** How many places on the screen show each printer: only their agents hear that somebody looks. */
const seen = new Map<number, number>()
let telling: ReturnType<typeof setTimeout> | undefined

const accountLine = new BrowserLine('/ws/web/all/', {
  of: null,
  lingerMs: LINGER_MS,
  hello: () => ({ watch: watched, viewing: [...seen.keys()] }),
})

function tellSeen(): void {
  telling ??= setTimeout(() => {
    telling = undefined
    accountLine.send({ viewing: [...seen.keys()] })
  }, TELL_MS)
}

/** Keeps the account's line open: what it says of events is heard on every page. */
export function useAccountLine(): void {
  const client = useQueryClient()
  const isLeaving = useIsLeaving()
  useEffect(
    () => (isLeaving ? accountLine.closeUnused() : accountLine.take(client, () => undefined)),
    [client, isLeaving],
  )
}

/** Keeps all these printers live over one socket; says how it stands. */
export function useLiveList(printers: Printer[] | undefined): SocketState {
  const client = useQueryClient()
  const [state, setState] = useState<SocketState>('connecting')
  const key = printers?.flatMap(({ id, archived_at }) => (archived_at ? [] : [id])).join(',')
  const ids = useMemo(() => (key ? key.split(',').map(Number).slice(0, MOST_WATCHED) : []), [key])
  const any = ids.length > 0

  useEffect(() => {
    watched = ids
    accountLine.send({ watch: ids })
  }, [ids])

  useEffect(
    () => () => {
      watched = []
      accountLine.send({ watch: watched })
    },
    [],
  )

  useEffect(() => {
    if (!any) return undefined
    const leave = accountLine.take(client, setState)
    const stop = everySecond(() => flush(client))
    return () => {
      stop()
      leave()
      flush(client)
    }
  }, [client, any])

  return state
}

/** Tells that this printer's camera is on the screen. */
export function useSeen(id: number, onScreen: boolean): void {
  useEffect(() => {
    if (!onScreen) return undefined
    seen.set(id, (seen.get(id) ?? 0) + 1)
    tellSeen()
    return () => {
      const users = (seen.get(id) ?? 1) - 1
      if (users > 0) seen.set(id, users)
      else seen.delete(id)
      tellSeen()
    }
  }, [id, onScreen])
}

/** False where the account's line is not open: nothing is kept for later. */
export const sendAccount = (message: unknown): boolean => accountLine.send(message)
