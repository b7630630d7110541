/** Worker thread that writes pictures: re-encoded for storage, or with boxes drawn (docs/rules/detection.md 1). */
import { drawn, reencode } from './decode.ts'
import type { Box, BoxTone } from './port.ts'
import { serveTasks } from './protocol.ts'

/** What is drawn on a picture. */
export interface Drawing {
  boxes: readonly Box[]
  tone: BoxTone
}

/** A picture to write; its buffer is transferred. Without a drawing it is re-encoded. */
export interface WriteTask {
  picture: Uint8Array
  drawing: Drawing | null
}

await serveTasks<WriteTask, Uint8Array>(
  () => {
    const perform = async ({ picture, drawing }: WriteTask) =>
      Uint8Array.from(drawing ? await drawn(picture, drawing) : await reencode(picture))
    return Promise.resolve({ name: 'pictures', perform })
  },
  (result) => [result.buffer as ArrayBuffer],
)
