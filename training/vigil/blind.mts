/**
 * Says of each frame of rendered prints whether the server would call its picture dark, moved, frozen ...:
 * `node blind.mts FOLDER…`, each with `thumbs.u8` (64 x 48 grey levels a frame). Writes `blind.json` there, a condition
 * or null for each frame, by the rules that the server runs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  conditionOf,
  followPicture,
  type PictureHistory,
} from '../../server/engines/inference/quality.ts'

/** The thumbnail of the server: 64 x 48. */
const SIZE = 64 * 48
const INTERVAL_MS = 10_000

for (const folder of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(join(folder, 'thumbs.u8')))
  let before: PictureHistory | null = null
  const conditions = Array.from({ length: bytes.length / SIZE }, (_, n) => {
    const thumbnail = bytes.subarray(n * SIZE, (n + 1) * SIZE)
    const quality = { condition: conditionOf(thumbnail), hash: String(n), thumbnail }
    const { history, condition } = followPicture(before, quality, (n + 1) * INTERVAL_MS, INTERVAL_MS)
    before = history
    return condition
  })
  writeFileSync(join(folder, 'blind.json'), JSON.stringify(conditions))
}
