import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from './lib/benchmark.ts'
import { memoryOfFamily } from './lib/processes.ts'
import { startBenchServer } from './lib/server.ts'

const FILMS = Number(process.env['ARCHIVE_FILMS'] ?? 50)
const FILM_BYTES = 100 * 1_048_576
const REST_MS = 10_000
const LOOK_MS = 200
/** As often the line breaks while it is fetched. */
const BREAKS = 20
const AIM_MB = 64

/** The most memory of a server beside its own at rest, while something is done. */
async function mostBeside(pid: number, atRest: number, work: () => Promise<void>): Promise<number> {
  let most = 0
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      most = Math.max(most, memoryOfFamily(pid).all.own)
      await sleep(LOOK_MS)
    }
  })()
  await work().finally(() => (isOver = true))
  await looking
  return Math.max(0, most - atRest) / 1e6
}

/** Films of nothing, as large as real ones. */
async function addFilms(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: FILMS }, (_, i) => `bench-${i}.mp4`)
  for (const name of names) {
    const file = await open(join(folder, name), 'w', 0o600)
    await file.truncate(FILM_BYTES)
    await file.close()
  }
  return names
}

/** Fetches a file in parts, each of which breaks off and is asked for again from where it came to; its bytes. */
async function fetchInParts(url: string, cookie: string, total: number): Promise<number> {
  let at = 0
  let etag = ''
  const part = Math.ceil(total / (BREAKS + 1))
  while (at < total) {
    const stop = new AbortController()
    const headers = { cookie, range: `bytes=${at}-`, ...(etag !== '' && { 'if-range': etag }) }
    const answer = await fetch(url, { headers, signal: stop.signal })
    if (answer.status !== 206) throw new Error(`a part was answered ${answer.status}`)
    etag = answer.headers.get('etag') ?? ''
    const until = Math.min(total, at + part)
    for await (const bytes of answer.body ?? []) {
      at += bytes.length
      if (at >= until && until < total) break
    }
    stop.abort()
  }
  return at
}

const archive: Benchmark = {
  name: 'archive',
  conditions:
    `An account with ${FILMS} films of 100 MB has its archive made, then fetches it; the line breaks ${BREAKS} times, and each time it goes on from ` +
    `where it was. Memory is that of the keeper, the server and all of PostgreSQL beside what they had at rest, looked at every ${LOOK_MS} ms.`,
  async run(say) {
    const server = await startBenchServer()
    try {
      const cookie = await server.signIn()
      const names = await addFilms(join(server.dataFolder, 'files/tsd-timelapses/private'))
      await server.query(
        `insert into prints (user_id, filename, started_at, finished_at, video) select u.id, name, now(), now(),
         jsonb_build_object('container', 'tsd-timelapses', 'path', 'private/' || name)
         from users u, unnest(array[${names.map((name) => `'${name}'`).join(',')}]) as name`,
      )
      await sleep(REST_MS)
      const atRest = memoryOfFamily(server.pid).all.own
      const call = async (method: string, path: string) =>
        (await fetch(server.url + path, { method, headers: { cookie, origin: server.url } })).json()
      let [seconds, total, fetchedS] = [0, 0, 0]
      const made = await mostBeside(server.pid, atRest, async () => {
        const began = performance.now()
        await call('POST', '/api/v1/users/me/archive/')
        for (;;) {
          const { archive: now } = await call('GET', '/api/v1/users/me/leaving/')
          if (now.state === 'failed') throw new Error('the archive failed')
          if (now.state === 'ready') {
            total = now.num_bytes
            break
          }
          await sleep(LOOK_MS)
        }
        seconds = (performance.now() - began) / 1000
      })
      say(`${(total / 1e9).toFixed(2)} GB in ${seconds.toFixed(0)} s, ${made.toFixed(0)} MB of memory`)
      const fetched = await mostBeside(server.pid, atRest, async () => {
        const began = performance.now()
        const bytes = await fetchInParts(`${server.url}/api/v1/users/me/archive/file/`, cookie, total)
        if (bytes !== total) throw new Error(`${bytes} bytes of ${total} came`)
        fetchedS = (performance.now() - began) / 1000
      })
      return [
        { what: 'size of the archive', unit: 'GB', values: [total / 1e9] },
        { what: 'memory while it is made', unit: 'MB', values: [made], aim: { below: AIM_MB } },
        { what: 'memory while it is fetched', unit: 'MB', values: [fetched], aim: { below: AIM_MB } },
        { what: 'made at', unit: 'MB/s', values: [total / 1e6 / seconds] },
        { what: 'fetched at', unit: 'MB/s', values: [total / 1e6 / fetchedS] },
      ]
    } finally {
      await server.stop()
    }
  },
}

export const benchmarks = [archive]
