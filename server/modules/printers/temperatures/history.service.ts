import { StatusReading } from '@vigil/contract/core/status.ts'
import { LRUCache } from 'lru-cache'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import {
  chunkOf,
  chunksAt,
  KEPT_MS,
  lineOf,
  type Sample,
  SAMPLE_EVERY_MS,
  CHUNK_MS,
  unpack,
} from './history.rules.ts'
import { timeOf } from './kept.rules.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** Printers whose chunk this node continues. */
const MAX_PRINTERS = 10_000
/** After so long without a sample another node may have written: the chunk is read again. */
const MINE_MS = 60_000

interface Writer {
  at: number
  chunk: number
  text: string
  isReading: boolean
}

const writersOf = ofServer(() => new LRUCache<number, Writer>({ max: MAX_PRINTERS }))
const keyOf = (printerId: PrinterId, chunk: number) => `printer:${printerId}:temps:${chunk}`

/**
 * Keeps a status's temperatures, every few seconds one: gives it, packed. Called with every status: mostly it only looks at
 * the clock, and gives null.
 */
export function noteSample(ctx: Ctx, printerId: PrinterId, status: Record<string, unknown>): string | null {
  const now = ctx.clock.now()
  const known = writersOf(ctx)
  const writer = known.get(printerId)
  if (writer !== undefined && (now - writer.at < SAMPLE_EVERY_MS * 0.9 || writer.isReading)) return null
  const line = lineOf(new StatusReading(status).temperatures, now)
  if (line === null) return null
  const chunk = chunkOf(now)
  if (writer === undefined || now - writer.at > MINE_MS) {
    takeUp(ctx, printerId, { now, chunk, line })
    return line
  }
  writer.text = writer.chunk === chunk ? `${writer.text}\n${line}` : line
  writer.chunk = chunk
  writer.at = now
  write(ctx, printerId, writer)
  return line
}

function write(ctx: Ctx, printerId: PrinterId, { chunk, text }: Writer): void {
  ctx.live.put(keyOf(printerId, chunk), text, KEPT_MS + CHUNK_MS).catch(() => undefined)
}

/** Goes on where another node, or an earlier socket, left off. */
function takeUp(
  ctx: Ctx,
  printerId: PrinterId,
  { now, chunk, line }: { now: number; chunk: number; line: string },
): void {
  const writer: Writer = { at: now, chunk, text: line, isReading: true }
  writersOf(ctx).set(printerId, writer)
  ctx.live
    .get(keyOf(printerId, chunk))
    .then((before) => {
      if (before !== null) writer.text = `${before.toString()}\n${line}`
      write(ctx, printerId, writer)
    })
    .catch(() => undefined)
    .finally(() => (writer.isReading = false))
}

async function chunksOf(ctx: Ctx, printerId: PrinterId): Promise<string[]> {
  const keys = chunksAt(ctx.clock.now()).map((chunk) => keyOf(printerId, chunk))
  const chunks = await Promise.all(keys.map((key) => ctx.live.get(key)))
  return chunks.flatMap((bytes) => (bytes === null ? [] : [bytes.toString()]))
}

/** Actual and target of every heater in the last half hour. */
export async function temperaturesOf(ctx: Ctx, printerId: PrinterId): Promise<Record<string, Sample[]>> {
  return unpack(await chunksOf(ctx, printerId), ctx.clock.now() - KEPT_MS)
}

/** The same as lines, oldest first, from `since` (milliseconds) on. */
export async function linesSince(ctx: Ctx, printerId: PrinterId, since: number): Promise<string[]> {
  const lines = (await chunksOf(ctx, printerId)).flatMap((chunk) => chunk.split('\n'))
  return lines.filter((line) => timeOf(line) * 1000 >= since)
}
