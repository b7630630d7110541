/** Worker thread that writes pictures: re-encoded for storage, or with boxes drawn (docs/rules/watch.md 1). */
import type { Embedded } from '../../lib/gcode/thumbnails.ts'
import { drawn, reencode, turned } from './decode.ts'
import { embeddedPng } from './embedded.ts'
import type { Box, BoxTone } from './port.ts'
import { serveTasks } from './protocol.ts'

/** What is drawn on a picture. */
export interface Drawing {
  boxes: readonly Box[]
  tone: BoxTone
}

/** How a camera hangs: a picture is mirrored left to right, top to bottom, then rotated clockwise by degrees. */
export interface Turning {
  flipH: boolean
  flipV: boolean
  rotation: 0 | 90 | 180 | 270
}

/** A picture to write; its buffer is transferred. Without a drawing it is re-encoded; one of a G-code file becomes a PNG. */
export type WriteTask =
  | { picture: Uint8Array; drawing: Drawing | null }
  | { picture: Uint8Array; turn: Turning }
  | { picture: Uint8Array; embedded: Omit<Embedded, 'data'> }

function written(task: WriteTask): Promise<Buffer> {
  if ('embedded' in task) return embeddedPng({ ...task.embedded, data: task.picture })
  if ('turn' in task) return turned(task.picture, task.turn)
  return task.drawing ? drawn(task.picture, task.drawing) : reencode(task.picture)
}

await serveTasks<WriteTask, Uint8Array>(
  () => {
    const perform = async (task: WriteTask) => Uint8Array.from(await written(task))
    return Promise.resolve({ name: 'pictures', perform })
  },
  (result) => [result.buffer as ArrayBuffer],
)
