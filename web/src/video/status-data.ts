/** Agents send 1,500 bytes at most; nothing that is honest grows to more than this. */
const MOST_PACKED = 16_384
const MOST_BYTES = 262_144

/** What an agent says over a data channel: JSON, packed by zlib (docs/wire/agents.md 4.4). Null for anything else. */
export async function readData(packed: Uint8Array): Promise<unknown> {
  if (packed.length === 0 || packed.length > MOST_PACKED || packed[0] !== 0x78) return null
  try {
    const blob = new Blob([new Uint8Array(packed)])
    const reader = blob.stream().pipeThrough(new DecompressionStream('deflate')).getReader()
    const parts: Uint8Array<ArrayBuffer>[] = []
    let had = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        const said: unknown = JSON.parse(await new Blob(parts).text())
        return said
      }
      had += value.length
      if (had > MOST_BYTES) {
        await reader.cancel()
        return null
      }
      parts.push(value)
    }
  } catch {
    return null
  }
}
