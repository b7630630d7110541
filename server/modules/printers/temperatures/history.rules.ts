import type { HeaterReading } from '@vigil/contract/core/status.ts'

/**
 * Temperatures of the last half hour, packed: one line of JSON for each sample, `[t, name, actual, target, …]`,
 * collected in chunks of five minutes, so that a sample never rewrites more than a chunk.
 */
export const SAMPLE_EVERY_MS = 5_000
export const CHUNK_MS = 5 * 60_000
export const KEPT_MS = 30 * 60_000
/** More than any printer has; names as long as anybody gives them. */
const MAX_HEATERS = 16
const MAX_NAME = 60

/** `[t, actual, target]`: seconds since 1970, degrees; a target of null marks a sensor. */
export type Sample = [t: number, actual: number, target: number | null]

export const chunkOf = (ms: number) => Math.floor(ms / CHUNK_MS)

/** The chunks that hold what is still shown at `now`, oldest first. */
export function chunksAt(now: number): number[] {
  const first = chunkOf(now - KEPT_MS)
  return Array.from({ length: chunkOf(now) - first + 1 }, (_, i) => first + i)
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** Heaters and sensors as a line; null when there are none. */
export function lineOf(temperatures: readonly HeaterReading[], now: number): string | null {
  const fields: (string | number | null)[] = [Math.round(now / 1000)]
  for (const { name, actual, target } of temperatures) {
    if (name.length > MAX_NAME || fields.length > 3 * MAX_HEATERS) continue
    fields.push(name, tenth(actual), target === null ? null : tenth(target))
  }
  return fields.length === 1 ? null : JSON.stringify(fields)
}

/** The samples by heater, those after `since` (milliseconds), in order. */
export function unpack(chunks: readonly string[], since: number): Record<string, Sample[]> {
  const heaters = new Map<string, Sample[]>()
  for (const chunk of chunks) {
    for (const line of chunk.split('\n')) {
      if (line === '') continue
      const [t, ...rest] = JSON.parse(line) as [number, ...unknown[]]
      if (t * 1000 < since) continue
      for (let i = 0; i + 2 < rest.length; i += 3) {
        const name = rest[i] as string
        const samples = heaters.get(name) ?? []
        heaters.set(name, samples)
        samples.push([t, rest[i + 1] as number, rest[i + 2] as number | null])
      }
    }
  }
  return Object.fromEntries(heaters)
}
