import type { Printer } from '@vigil/contract/printers.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LiveSocket, openSocket, type SocketState } from '../../lib/socket.ts'
import { showEvent } from './eventToast.ts'
import { asPrinterEvent, asPrinterFrame } from './merge.ts'
import { applyPrinters } from '../printers.api.ts'

/** Frames of one moment are shown together: many printers cost one rendering. */
const FLUSH_MS = 60
/** A card that leaves the screen for a moment keeps its socket. */
const LINGER_MS = 3_000

interface Line {
  socket: LiveSocket | null
  state: SocketState
  users: number
  watchers: Set<(state: SocketState) => void>
}

const lines = new Map<number, Line>()
const waiting = new Map<number, Partial<Printer>>()
let flushTimer: ReturnType<typeof setTimeout> | undefined

const listeners = new Set<(id: number, message: unknown) => void>()

/** Hears all that printers say; for what is not the printer itself: answers, terminal lines. */
export function listenLive(listener: (id: number, message: unknown) => void): void {
  listeners.add(listener)
}

/** False when the printer's line is not open: nothing is kept for later. */
export function sendLive(id: number, message: unknown): boolean {
  return lines.get(id)?.socket?.send(message) ?? false
}

function receive(client: QueryClient, id: number, message: unknown): void {
  for (const listener of listeners) listener(id, message)
  const event = asPrinterEvent(message)
  if (event) showEvent(event)
  const frame = asPrinterFrame(message)
  if (!frame || frame.id !== id) return
  waiting.set(id, frame)
  flushTimer ??= setTimeout(() => {
    flushTimer = undefined
    applyPrinters(client, new Map(waiting))
    waiting.clear()
  }, FLUSH_MS)
}

function take(client: QueryClient, id: number): Line {
  const known = lines.get(id)
  if (known) {
    known.users++
    return known
  }
  const watchers: Line['watchers'] = new Set()
  const line: Line = { users: 1, state: 'connecting', watchers, socket: null }
  line.socket = openSocket(`/ws/web/${id}/`, {
    onMessage: (message) => receive(client, id, message),
    onRevoked: () => {
      void client.invalidateQueries()
    },
    onState: (state) => {
      line.state = state
      for (const watcher of watchers) watcher(state)
    },
  })
  lines.set(id, line)
  return line
}

function leave(id: number, line: Line): void {
  line.users--
  setTimeout(() => {
    if (line.users > 0 || lines.get(id) !== line) return
    line.socket?.close()
    lines.delete(id)
  }, LINGER_MS)
}

/** Keeps one printer live while `onScreen`; says how its line stands. */
export function useLive(id: number, onScreen = true): SocketState {
  const client = useQueryClient()
  const [state, setState] = useState<SocketState>('connecting')
  useEffect(() => {
    if (!onScreen) return undefined
    const line = take(client, id)
    line.watchers.add(setState)
    setState(line.state)
    return () => {
      line.watchers.delete(setState)
      leave(id, line)
    }
  }, [client, id, onScreen])
  return state
}
