/** The reading end of bench/streams.ts; as a process of its own, the other node. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openRedisLive } from '../../server/engines/live/redis.ts'
import { Stream } from '../../server/engines/live/stream.ts'

/** Reads all frames, with a pause of so many milliseconds after each, and answers an empty one with the CPU time so far. */
export async function read(stream: Stream, pauseMs: number): Promise<void> {
  const before = process.cpuUsage()
  for await (const frame of stream) {
    if (frame.length === 0) {
      const { user, system } = process.cpuUsage(before)
      await stream.send(JSON.stringify({ cpuMs: (user + system) / 1000 }))
    }
    if (pauseMs > 0) await sleep(pauseMs)
  }
}

if (import.meta.main) {
  const live = await openRedisLive(process.argv[2] ?? '', console)
  await Stream.accept(live, 'bench', (stream, hello) => void read(stream, Number(hello)))
  process.send?.('ready')
}
