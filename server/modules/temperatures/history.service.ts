import { StatusReading } from '@vigil/contract/status.ts'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../ctx.ts'
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

const writers = new WeakMap<object, LRUCache<number, Writer>>()
const keyOf = (printerId: number, chunk: number) => `printer:${printerId}:temps:${chunk}`

/** Keeps a status's temperatures, every few seconds one. Called with every status: mostly it only looks at the clock. */
export function noteTemperatures(ctx: Ctx, printerId: number, status: Record<string, unknown>): void {
  const now = ctx.clock.now()
  const known = writers.get(ctx.live)
  const writer = known?.get(printerId)
  if (writer !== undefined && (now - writer.at < SAMPLE_EVERY_MS * 0.9 || writer.isReading)) return
  const line = lineOf(new StatusReading(status).temperatures, now)
  if (line === null) return
  const chunk = chunkOf(now)
  if (writer === undefined || now - writer.at > MINE_MS) return takeUp(ctx, printerId, { now, chunk, line })
  writer.text = writer.chunk === chunk ? `${writer.text}\n${line}` : line
  writer.chunk = chunk
  writer.at = now
  write(ctx, printerId, writer)
}

function write(ctx: Ctx, printerId: number, { chunk, text }: Writer): void {
  ctx.live.put(keyOf(printerId, chunk), text, KEPT_MS + CHUNK_MS).catch(() => undefined)
}

/** Goes on where another node, or an earlier socket, left off. */
function takeUp(
  ctx: Ctx,
  printerId: number,
  { now, chunk, line }: { now: number; chunk: number; line: string },
): void {
  const known = writers.get(ctx.live) ?? new LRUCache<number, Writer>({ max: MAX_PRINTERS })
  writers.set(ctx.live, known)
  const writer: Writer = { at: now, chunk, text: line, isReading: true }
  known.set(printerId, writer)
  ctx.live
    .get(keyOf(printerId, chunk))
    .then((before) => {
      if (before !== null) writer.text = `${before.toString()}\n${line}`
      write(ctx, printerId, writer)
    })
    .catch(() => undefined)
    .finally(() => (writer.isReading = false))
}

/** Actual and target of every heater in the last half hour. */
export async function temperaturesOf(ctx: Ctx, printerId: number): Promise<Record<string, Sample[]>> {
  const now = ctx.clock.now()
  const chunks = await Promise.all(chunksAt(now).map((chunk) => ctx.live.get(keyOf(printerId, chunk))))
  return unpack(
    chunks.flatMap((bytes) => (bytes === null ? [] : [bytes.toString()])),
    now - KEPT_MS,
  )
}
