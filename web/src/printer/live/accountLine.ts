import type { Printer } from '@vigil/contract/printers.ts'
import type { AccountFrameOut } from '@vigil/contract/sockets.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { everySecond, serverNow } from '../../lib/clock.ts'
import { type LiveSocket, openSocket, type SocketState } from '../../lib/socket.ts'
import { showEvent } from './eventToast.ts'
import { asPrinterEvent, mergePrinter } from './merge.ts'
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

/** So few printers cost little: their news is shown as it comes. */
const FEW = 24

let waiting: AccountFrameOut[] = []

/** What the owner must see at once: a print that began, ended or alerts, and a printer that is gone. */
function isUrgent({ printers = [], patches = [], gone = [] }: AccountFrameOut): boolean {
  return (
    printers.length + gone.length > 0 ||
    patches.some(({ patch }) => 'current_print' in patch || patch.status === null)
  )
}

/** One frame holds the news of many printers; with many, all of a second are shown together. */
function receive(client: QueryClient, frame: AccountFrameOut | null): void {
  if (!frame || typeof frame !== 'object') return
  const event = asPrinterEvent(frame)
  if (event) showEvent(event)
  if (!frame.printers && !frame.patches && !frame.gone) return
  waiting.push(frame)
  const held = client.getQueryData<Printer[]>(printersQuery.queryKey)?.length ?? 0
  if (held <= FEW || isUrgent(frame)) flush(client)
}

function flush(client: QueryClient): void {
  const frames = waiting
  waiting = []
  if (frames.length === 0) return
  client.setQueryData<Printer[]>(printersQuery.queryKey, (list) => list && frames.reduce(apply, list))
}

function apply(list: Printer[], { printers = [], patches = [], gone = [] }: AccountFrameOut): Printer[] {
  const whole = new Map(printers.map((printer) => [printer.id, printer]))
  const part = new Map(patches.map(({ id, patch }) => [id, patch]))
  return list.flatMap((held) => {
    if (gone.includes(held.id)) return []
    const said = whole.get(held.id)
    const patch = part.get(held.id)
    const printer = said ? mergePrinter(held, said, serverNow()) : held
    return [patch ? applyPatch(printer, patch) : printer]
  })
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
    const stop = everySecond(() => flush(client))
    return () => {
      stop()
      waiting = []
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
