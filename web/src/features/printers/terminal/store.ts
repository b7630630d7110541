import { fieldsOf } from '@vigil/contract/fields.ts'
import { useSyncExternalStore } from 'react'
import { serverNow } from '../../../lib/clock.ts'
import { listenLive } from '../../../printer/live/browser-line.ts'
import { addLine, clean, type Line, remember } from './lines.ts'

/** Lines of one moment are shown together. */
const FLUSH_MS = 80
/** The same line by two ways has the same time at the printer; so many are remembered to tell. */
const KNOWN = 200

interface Terminal {
  lines: readonly Line[]
  sent: string[]
  known: Set<string>
}

const terminals = new Map<number, Terminal>()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function terminalOf(id: number): Terminal {
  const known = terminals.get(id)
  if (known) return known
  const fresh: Terminal = { lines: [], sent: [], known: new Set() }
  terminals.set(id, fresh)
  return fresh
}

function tell(now = false): void {
  if (!now) {
    timer ??= setTimeout(() => tell(true), FLUSH_MS)
    return
  }
  clearTimeout(timer)
  timer = undefined
  for (const watcher of watchers) watcher()
}

listenLive((id, message) => {
  const { msg, _ts: at } = fieldsOf(fieldsOf(fieldsOf(message)['passthru'])['terminal_feed'])
  if (typeof msg !== 'string' || !msg.trim()) return
  const terminal = terminalOf(id)
  if (typeof at === 'number') {
    const key = `${at} ${msg}`
    if (terminal.known.has(key)) return
    terminal.known.add(key)
    const [oldest] = terminal.known
    if (oldest && terminal.known.size > KNOWN) terminal.known.delete(oldest)
  }
  terminal.lines = addLine(terminal.lines, clean(msg), false, serverNow())
  tell()
})

export function clearLines(id: number): void {
  terminalOf(id).lines = []
  tell(true)
}

/** Keeps what was sent for arrow up, and shows it where the feed would not. */
export function noteSent(id: number, line: string, show: boolean): void {
  const terminal = terminalOf(id)
  terminal.sent = remember(terminal.sent, line)
  if (show) terminal.lines = addLine(terminal.lines, clean(line), true, serverNow())
  tell(true)
}

/** Shows what came of a command where the feed does not. */
export function noteHeard(id: number, line: string): void {
  const terminal = terminalOf(id)
  if (line.trim()) terminal.lines = addLine(terminal.lines, clean(line), false, serverNow())
  tell(true)
}

export const sentLines = (id: number): readonly string[] => terminalOf(id).sent

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const shownLines = (id: number): readonly Line[] => terminalOf(id).lines

export function useLines(id: number): readonly Line[] {
  return useSyncExternalStore(subscribe, () => shownLines(id))
}
