/** Worker thread that re-encodes pictures which may not be stored as they came (api-contract 3.2). */
import { reencode } from './decode.ts'
import { serveTasks } from './protocol.ts'

await serveTasks<Uint8Array, Uint8Array>(
  () =>
    Promise.resolve({ name: 'images', perform: async (picture) => Uint8Array.from(await reencode(picture)) }),
  (result) => [result.buffer as ArrayBuffer],
)
