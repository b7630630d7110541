import { fieldsOf } from '@vigil/contract/fields.ts'
import type { QueryClient } from '@tanstack/react-query'
import { type LiveSocket, openSocket, type SocketState } from '../../lib/socket.ts'
import { toast } from '../../lib/toast.ts'
import { applyNews, heldPrinters, LIST_KEY } from '../held.ts'
import { applyFeed, feedOf } from './feed.ts'
import { asPrinterEvent, type PrinterEvent } from './merge.ts'
import { isUrgent, type News, newsOf } from './news.ts'

/** Has its own place on the screen, louder than a toast. */
const SHOWN_ELSEWHERE = new Set(['FAILURE_ALERTED'])

const KINDS: Partial<Record<string, Parameters<typeof toast>[1]>> = {
  ERROR: 'failed',
  WARNING: 'warned',
  SUCCESS: 'done',
}

/** A printer's news as a toast; its text is shown as text, whatever it holds. */
function showEvent({ title, text, kind, type }: PrinterEvent): void {
  if (type && SHOWN_ELSEWHERE.has(type)) return
  toast(text ?? '', (kind && KINDS[kind]) || 'info', title)
}

/** News of one moment is shown together: many printers cost one rendering. */
const FLUSH_MS = 60
/** So few printers cost little: their news is shown as it comes; that of more, once a second together. */
const FEW = 24

/** Other printers are shared with the account. */
const isAgain = (message: unknown) => fieldsOf(message)['again'] === true

type Listener = (id: number, message: unknown) => void
const listeners = new Set<Listener>()

/** Hears all that printers say; for what is not the printer itself: answers, terminal lines. */
export function listenLive(listener: Listener): void {
  listeners.add(listener)
}

let waiting: News[] = []
let flushing: ReturnType<typeof setTimeout> | undefined

/** Shows what has come so far. */
export function flush(client: QueryClient): void {
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
export class BrowserLine {
  readonly #path: string
  readonly #options: LineOptions
  readonly #watchers = new Set<(state: SocketState) => void>()
  #socket: LiveSocket | null = null
  #state: SocketState = 'connecting'
  /** What it was for is gone: the printer, or the session. */
  #isRevoked = false

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
    // Whoever comes now may be somebody else.
    if (this.#isRevoked) this.closeUnused()
    this.#watchers.add(watcher)
    this.#socket ??= this.#open(client)
    watcher(this.#state)
    return () => {
      this.#watchers.delete(watcher)
      const { lingerMs } = this.#options
      if (lingerMs > 0) setTimeout(() => this.closeUnused(), lingerMs)
      else this.closeUnused()
    }
  }

  /** Closes it at once, unless somebody wants it. */
  closeUnused(): void {
    if (this.#watchers.size > 0) return
    this.#socket?.close()
    this.#socket = null
    this.#isRevoked = false
  }

  #open(client: QueryClient): LiveSocket {
    const { hello } = this.#options
    return openSocket(this.#path, {
      onMessage: (message) => this.#receive(client, message),
      onRevoked: () => {
        this.#isRevoked = true
        void client.invalidateQueries()
      },
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
    const feed = of === null ? feedOf(message) : null
    if (feed) applyFeed(client, feed)
    if (of === null && isAgain(message)) void client.invalidateQueries({ queryKey: LIST_KEY })
    const news = newsOf(message)
    if (!news || (of !== null && news.printers.some(({ id }) => id !== of))) return
    waiting.push(news)
    const held = heldPrinters(client)?.length ?? 0
    if (of !== null || held <= FEW || isUrgent(news)) flushing ??= setTimeout(() => flush(client), FLUSH_MS)
  }
}
