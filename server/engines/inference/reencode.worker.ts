/** Worker thread that writes pictures: re-encoded for storage, or with boxes drawn (api-contract 3.2). */
import { drawn, reencode } from './decode.ts'
import type { Box } from './port.ts'
import { serveTasks } from './protocol.ts'

/** A picture to write; its buffer is transferred. With boxes they are drawn, without it is re-encoded. */
export interface WriteTask {
  picture: Uint8Array
  boxes: readonly Box[] | null
}

await serveTasks<WriteTask, Uint8Array>(
  () => {
    const perform = async ({ picture, boxes }: WriteTask) =>
      Uint8Array.from(boxes ? await drawn(picture, boxes) : await reencode(picture))
    return Promise.resolve({ name: 'pictures', perform })
  },
  (result) => [result.buffer as ArrayBuffer],
)
