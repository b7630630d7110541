import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SocketState } from '../../lib/socket.ts'
import { BrowserLine } from './browser-line.ts'

/** A page of a printer that is left for another of it keeps the socket. */
const PAGE_LINGER_MS = 3_000
const lines = new Map<number, BrowserLine>()

function lineOf(id: number): BrowserLine {
  const known = lines.get(id)
  if (known) return known
  const line = new BrowserLine(`/ws/web/${id}/`, { of: id, lingerMs: PAGE_LINGER_MS })
  lines.set(id, line)
  return line
}

/** False when the printer's line is not open: nothing is kept for later. */
export function sendLive(id: number, message: unknown): boolean {
  return lines.get(id)?.send(message) ?? false
}

/** Keeps one printer live; says how its line stands. */
export function useLive(id: number): SocketState {
  const client = useQueryClient()
  const [state, setState] = useState<SocketState>('connecting')
  useEffect(() => lineOf(id).take(client, setState), [client, id])
  return state
}
