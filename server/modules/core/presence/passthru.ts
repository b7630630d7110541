import { randomUUID } from 'node:crypto'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { Stream, StreamClosed } from '../../../engines/live/stream.ts'
import { topics } from './names.ts'
import { parse } from './parse.ts'

/** What stands under `passthru` in a frame of an agent, or in one of ours that speaks like one (docs/wire/agents.md 7.2, 7.3). */
export type PassthruItem = Readonly<Record<string, unknown>>

/** An item on its way to browsers, parsed only when it is read. */
export interface PassthruNews {
  /** A line of the terminal; nobody waits for it. */
  readonly isTerminal: boolean
  read(): PassthruItem
  /** A large answer: `read` tells its `ref` alone, and who waits for it fetches it. Raises an error when it has gone. */
  readonly fetch?: () => Promise<PassthruItem>
}

/** What is told of an item: the item itself, or for a large answer what it answers and where it is offered. */
interface Told {
  readonly passthru: PassthruItem
  readonly offeredAt?: string
}

/** Of a large answer, at once. */
const PART = 262_144
const OPENING = '{"passthru":'
/** The key of an item stands this far in at most. */
const FIRST_KEY = OPENING.length + 28

/** Says something of an agent to the browsers that show its printer; it is small. */
export function tellPassthru({ live }: Pick<Ctx, 'live'>, printerId: PrinterId, item: PassthruItem): void {
  live.publish(topics.passthru(printerId), `${OPENING}${JSON.stringify(item)}}`)
}

/**
 * Says that there is an answer to `ref` which is too large to tell everybody, and gives `text` to who waits for it, at the
 * pace of its node, until the returned function is called.
 */
export async function offerAnswer(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
  ref: unknown,
  text: Buffer,
): Promise<() => void> {
  const offeredAt = topics.answer(printerId, randomUUID())
  const stop = await Stream.accept(live, offeredAt, (stream) => void pour(text, stream))
  live.publish(topics.passthru(printerId), JSON.stringify({ passthru: { ref }, offeredAt } satisfies Told))
  return stop
}

async function pour(text: Buffer, stream: Stream): Promise<void> {
  try {
    for (let at = 0; at < text.length; at += PART) await stream.send(text.subarray(at, at + PART))
    stream.end()
  } catch (error) {
    // Who waited for it has gone.
    if (!(error instanceof StreamClosed)) throw error
  }
}

/** Calls `fn` with what the printer's agent says under `passthru` until the returned function is called. */
export async function onPassthru(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
  fn: (news: PassthruNews) => void,
): Promise<() => void> {
  return await live.subscribe(topics.passthru(printerId), (message) => fn(newsOf(live, message)))
}

function newsOf(live: Ctx['live'], message: Buffer): PassthruNews {
  if (message.subarray(0, FIRST_KEY).includes('"terminal_feed"'))
    return { isTerminal: true, read: () => parse<Told>(message)?.passthru ?? {} }
  const told = parse<Told>(message)
  const { offeredAt } = told ?? {}
  return {
    isTerminal: false,
    read: () => told?.passthru ?? {},
    ...(offeredAt !== undefined && { fetch: () => fetchOffered(live, offeredAt) }),
  }
}

async function fetchOffered(live: Ctx['live'], offeredAt: string): Promise<PassthruItem> {
  const stream = await Stream.open(live, offeredAt, '')
  if (stream === null) throw new Error('the answer is offered no longer')
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return parse<PassthruItem>(Buffer.concat(parts)) ?? {}
}
