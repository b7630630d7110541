import { statfs } from 'node:fs/promises'

const LOOK_MS = 2_000
/**
 * Room that is kept for the database: with less, its journal could not grow and it would stop, reads and all.
 * Statuses, prints and commands are small and go on inside it; uploads and changes are refused before.
 */
export const RESERVE_BYTES = 96 * 1024 * 1024
/** Free again only with some room above the reserve, so that the answer does not flicker. */
const ENOUGH_BYTES = RESERVE_BYTES + 32 * 1024 * 1024

/** What is known of the room on the data folder's disk; looked at every two seconds. */
export interface Space {
  readonly folder: string
  /** True while writes that can wait are refused: 507 (docs/wire/rest.md 1). */
  readonly isFull: boolean
  /** Free bytes; null when the disk cannot be asked. */
  readonly freeBytes: number | null
  /** Looks now. */
  look(): Promise<void>
}

/** Watches the disk of a folder until `signal` aborts. */
export async function watchSpace(folder: string, signal: AbortSignal): Promise<Space> {
  const space = {
    folder,
    isFull: false,
    freeBytes: null as number | null,
    async look() {
      try {
        const { bavail, bsize } = await statfs(folder)
        space.freeBytes = bavail * bsize
        space.isFull = space.freeBytes < (space.isFull ? ENOUGH_BYTES : RESERVE_BYTES)
      } catch {
        space.freeBytes = null
      }
    },
  }
  await space.look()
  const timer = setInterval(() => void space.look(), LOOK_MS)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return space
}
