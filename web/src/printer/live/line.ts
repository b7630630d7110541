import type { Printer } from '@vigil/contract/printers.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { everySecond } from '../../lib/clock.ts'
import { type LiveSocket, openSocket, type SocketState } from '../../lib/socket.ts'
import { applyNews, heldPrinters } from '../held.ts'
import { showEvent } from './eventToast.ts'
import { asPrinterEvent } from './merge.ts'
import { isUrgent, type News, newsOf } from './news.ts'

/** News of one moment is shown together: many printers cost one rendering. */
const FLUSH_MS = 60
/** So few printers cost little: their news is shown as it comes; that of more, once a second together. */
const FEW = 24

type Listener = (id: number, message: unknown) => void
const listeners = new Set<Listener>()

/** Hears all that printers say; for what is not the printer itself: answers, terminal lines. */
export function listenLive(listener: Listener): void {
  listeners.add(listener)
}

let waiting: News[] = []
let flushing: ReturnType<typeof setTimeout> | undefined

function flush(client: QueryClient): void {
  clearTimeout(flushing)
  flushing = undefined
  const said = waiting
  waiting = []
  if (said.length > 0) applyNews(client, said)
}

interface LineOptions {
  /** The one printer it tells of; null for all of the account that are watched. */
  of: number | null
  /** How long it stays open for somebody who comes back, in ms. */
  lingerMs: number
  /** What the server is told each time that it opens. */
  hello?: () => unknown
}

/** A line of this page to the server, open for as long as somebody wants it: one socket for all who do. */
class BrowserLine {
  readonly #path: string
  readonly #options: LineOptions
  readonly #watchers = new Set<(state: SocketState) => void>()
  #socket: LiveSocket | null = null
  #state: SocketState = 'connecting'

  constructor(path: string, options: LineOptions) {
    this.#path = path
    this.#options = options
  }

  /** False when it is not open: nothing is kept for later. */
  send(message: unknown): boolean {
    return this.#socket?.send(message) ?? false
  }

  /** Keeps it open, and says how it stands, until the returned function is called. */
  take(client: QueryClient, watcher: (state: SocketState) => void): () => void {
    this.#watchers.add(watcher)
    this.#socket ??= this.#open(client)
    watcher(this.#state)
    return () => {
      this.#watchers.delete(watcher)
      const { lingerMs } = this.#options
      if (lingerMs > 0) setTimeout(() => this.#closeUnused(), lingerMs)
      else this.#closeUnused()
    }
  }

  #closeUnused(): void {
    if (this.#watchers.size > 0) return
    this.#socket?.close()
    this.#socket = null
  }

  #open(client: QueryClient): LiveSocket {
    const { hello } = this.#options
    return openSocket(this.#path, {
      onMessage: (message) => this.#receive(client, message),
      onRevoked: () => void client.invalidateQueries(),
      onState: (state) => {
        this.#state = state
        if (state === 'open' && hello) this.send(hello())
        for (const watcher of this.#watchers) watcher(state)
      },
    })
  }

  #receive(client: QueryClient, message: unknown): void {
    const { of } = this.#options
    if (of !== null) for (const listener of listeners) listener(of, message)
    const event = this.#watchers.size > 0 ? asPrinterEvent(message) : null
    if (event) showEvent(event)
    const news = newsOf(message)
    if (!news || (of !== null && news.printers.some(({ id }) => id !== of))) return
    waiting.push(news)
    const held = heldPrinters(client)?.length ?? 0
    if (of !== null || held <= FEW || isUrgent(news)) flushing ??= setTimeout(() => flush(client), FLUSH_MS)
  }
}

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

/** The server takes no longer list (contract/sockets.ts). */
const MOST_WATCHED = 1000
/** Scrolling tells the server which cards are seen this often at most. */
const TELL_MS = 300

let watched: readonly number[] = []
/** How many places on the screen show each printer: only their agents hear that somebody looks. */
const seen = new Map<number, number>()
let telling: ReturnType<typeof setTimeout> | undefined

const accountLine = new BrowserLine('/ws/web/all/', {
  of: null,
  lingerMs: 0,
  hello: () => ({ watch: watched, viewing: [...seen.keys()] }),
})

function tellSeen(): void {
  telling ??= setTimeout(() => {
    telling = undefined
    accountLine.send({ viewing: [...seen.keys()] })
  }, TELL_MS)
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
