import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What lies between a browser and the server, byte by byte: it can be frozen, as a lost network is, or cut. */
export interface Way {
  readonly address: string
  /** Nothing gets through any more and nobody is told, neither of what is open nor of what begins. */
  freeze(): void
  /** What is open is closed, and nothing can begin. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

/** Opens a way to that server. */
export async function wayTo(address: string): Promise<Way> {
  const { hostname, port } = new URL(address)
  const ends = new Set<Socket>()
  let frozen = false
  let server: Server
  const listen = async (at: number) => {
    server = createServer({ allowHalfOpen: true }, (here) => {
      const there = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
      for (const [from, to] of [
        [here, there],
        [there, here],
      ] as const) {
        ends.add(from)
        // What is lost in between is lost: nothing of it arrives later.
        from.on('data', (bytes) => frozen || to.write(bytes))
        from.on('end', () => frozen || to.end())
        from.on('error', () => to.destroy())
        from.on('close', () => {
          ends.delete(from)
          if (!frozen) to.destroy()
        })
      }
    })
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const drop = () => {
    for (const end of ends) end.destroy()
  }
  const shut = async () => {
    const ended = once(server, 'close')
    server.close()
    drop()
    await ended
  }
  const mine = await listen(0)
  return {
    address: `http://127.0.0.1:${mine}`,
    freeze: () => void (frozen = true),
    cut: shut,
    async mend() {
      frozen = false
      drop()
      if (!server.listening) await listen(mine)
    },
    close: shut,
  }
}
