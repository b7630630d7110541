import type { Printer } from '@vigil/contract/printers.ts'
import type { AccountFrameOut } from '@vigil/contract/sockets.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { serverNow } from '../../../lib/clock.ts'
import { type LiveSocket, openSocket, type SocketState } from '../../../lib/socket.ts'
import { showEvent } from '../eventToast.ts'
import { asPrinterEvent, mergePrinter } from '../merge.ts'
import { printersQuery } from '../printers.api.ts'
import { applyPatch } from './patch.ts'

/** The server takes no longer list (contract/sockets.ts). */
const MOST_WATCHED = 1000
/** Scrolling tells the server which cards are seen this often at most. */
const TELL_MS = 300

/** How many places on the screen show each printer: only their agents hear that somebody looks. */
const seen = new Map<number, number>()
let line: LiveSocket | null = null
let telling: ReturnType<typeof setTimeout> | undefined

function tellSeen(): void {
  telling ??= setTimeout(() => {
    telling = undefined
    line?.send({ viewing: [...seen.keys()] })
  }, TELL_MS)
}

/** One frame holds the news of many printers, and costs one rendering. */
function receive(client: QueryClient, frame: AccountFrameOut | null): void {
  if (!frame || typeof frame !== 'object') return
  const event = asPrinterEvent(frame)
  if (event) showEvent(event)
  const { printers = [], patches = [], gone = [] } = frame
  if (printers.length + patches.length + gone.length === 0) return
  const whole = new Map(printers.map((printer) => [printer.id, printer]))
  const part = new Map(patches.map(({ id, patch }) => [id, patch]))
  client.setQueryData<Printer[]>(printersQuery.queryKey, (list) =>
    list?.flatMap((held) => {
      if (gone.includes(held.id)) return []
      const said = whole.get(held.id)
      const patch = part.get(held.id)
      const printer = said ? mergePrinter(held, said, serverNow()) : held
      return [patch ? applyPatch(printer, patch) : printer]
    }),
  )
}

/** Keeps all these printers live over one socket; says how it stands. */
export function useAccountLine(printers: Printer[] | undefined): SocketState {
  const client = useQueryClient()
  const [state, setState] = useState<SocketState>('connecting')
  const key = printers?.flatMap(({ id, archived_at }) => (archived_at ? [] : [id])).join(',')
  const ids = useMemo(() => (key ? key.split(',').map(Number).slice(0, MOST_WATCHED) : []), [key])
  const wanted = useRef(ids)
  const any = ids.length > 0

  useEffect(() => {
    wanted.current = ids
    line?.send({ watch: ids })
  }, [ids])

  useEffect(() => {
    if (!any) return undefined
    const opened = openSocket('/ws/web/all/', {
      onMessage: (message) => receive(client, message as AccountFrameOut | null),
      onRevoked: () => void client.invalidateQueries(),
      onState: (next) => {
        setState(next)
        if (next === 'open') opened.send({ watch: wanted.current, viewing: [...seen.keys()] })
      },
    })
    line = opened
    return () => {
      line = null
      opened.close()
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
