import { chown, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Limits } from '../programs/port.ts'
import type { SliceOptions, SliceWork } from './port.ts'

const TIME_MS = 10 * 60_000
/** What a slicer may hold. */
export const MEMORY_BYTES = 3 * 1_073_741_824
/** Who reaches its limit for files is ended in the middle of one. */
export const BLOCK_BYTES = 1_048_576
/** Nobody, where the server may be somebody else. */
const NOBODY = 65_534

/** What a slicing may cost. */
export const limitsOf = ({ mostBytes }: SliceWork, { timeMs = TIME_MS }: SliceOptions): Limits => ({
  timeMs,
  memoryBytes: MEMORY_BYTES,
  fileBytes: mostBytes + BLOCK_BYTES,
})

/** Whom a slicer runs as: nobody, to whom its files then belong, where the server is root and the way to the folder is open; else undefined. */
export async function userFor(
  { folder, meshes }: SliceWork,
  files: readonly string[],
): Promise<number | undefined> {
  if (process.getuid?.() !== 0 || !(await isOpenTo(dirname(folder)))) return undefined
  for (const path of [folder, ...meshes, ...files]) await chown(path, NOBODY, NOBODY)
  return NOBODY
}

/** Whether anybody may go through these folders. */
async function isOpenTo(folder: string): Promise<boolean> {
  if (((await stat(folder)).mode & 1) === 0) return false
  return folder === dirname(folder) || (await isOpenTo(dirname(folder)))
}
