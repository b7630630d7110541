import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { Connection } from './lib/connection.ts'
import { startLoad } from './lib/load.ts'
import { webcamPicture } from './lib/picture.ts'
import { cpuOf } from './lib/processes.ts'
import { signIn } from './lib/server.ts'
import { bodyOf, headOf } from './lib/snapshot.ts'
import type { FailingLoad } from './load/failing.ts'
import type { Counted, ScriptedServerLoad } from './load/scripted-server.ts'

const PRINTERS = 200
const PROBE_EVERY_MS = 100
const RUNS = 3
/** What follows the pauses is looked at for so long: events, their jobs, statuses. */
const AFTER_MS = 3_000
const SETTLED_WITHIN_MS = 30_000

/** Asks the same thing over and over on a connection of its own; `end` returns how long each answer took. */
function probe(url: string, request: Uint8Array) {
  let isOver = false
  const took: number[] = []
  const work = (async () => {
    const connection = await Connection.open(url)
    while (!isOver) {
      const began = performance.now()
      const status = await connection.send(request)
      if (status !== 200) throw new Error(`a request was answered ${status}`)
      took.push(performance.now() - began)
      await sleep(PROBE_EVERY_MS)
    }
    connection.close()
  })()
  // Whoever asks how it went hears of an error.
  work.catch(() => undefined)
  return {
    async end() {
      isOver = true
      await work
      return took
    },
  }
}

const failing: Benchmark = {
  name: 'failing',
  conditions:
    `${PRINTERS} printing printers of one owner post a picture each at the same moment, on a connection each, and every one of ` +
    `them is judged to be a failure that must be paused (a detector that scores as it is told, in the server's own process ` +
    `without a keeper); ${RUNS} runs. Meanwhile and for ${AFTER_MS / 1000} s after the last pause somebody else asks, every ` +
    '100 ms, for the list, for a printer, for a pause of that one and posts its picture; so does the owner for the list of ' +
    'all 200. From the first byte of a picture until an agent has heard its pause.',
  async run(say) {
    const server = startLoad<ScriptedServerLoad>('scripted-server')
    const agents = startLoad<FailingLoad>('failing')
    const bystanders = startLoad<FailingLoad>('failing')
    try {
      const { url, pid } = await server.ask('start')
      const owner = await server.ask('addOwner', { email: 'owner@example.org', printers: PRINTERS })
      const other = await server.ask('addOwner', { email: 'other@example.org', printers: 1 })
      const cookies = {
        owner: await signIn(url, 'owner@example.org', owner.password),
        other: await signIn(url, 'other@example.org', other.password),
      }
      const tokens = owner.printers.map((printer) => printer.auth_token)
      await agents.ask('connect', { url, tokens })
      const [bystander] = other.printers
      if (bystander === undefined) throw new Error('there is no bystander')
      await bystanders.ask('connect', { url, tokens: [bystander.auth_token] })
      const body = bodyOf(await webcamPicture(640, 480))
      const post = (token: string) =>
        Buffer.concat([Buffer.from(headOf(token, url, body.length), 'latin1'), body])
      const get = (path: string, cookie: string) =>
        Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nCookie: ${cookie}\r\n\r\n`)
      const address = `/api/v1/printers/${bystander.id}/`
      const probes = {
        "the owner's list": get('/api/v1/printers/', cookies.owner),
        "another's list": get('/api/v1/printers/', cookies.other),
        "another's printer": get(address, cookies.other),
        "another's pause": Buffer.from(
          `POST ${address}pause_print/ HTTP/1.1\r\nHost: ${new URL(url).host}\r\nOrigin: ${url}\r\n` +
            `Cookie: ${cookies.other}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
        ),
        "another's picture": post(bystander.auth_token),
      }
      const ids = owner.printers.map(({ id }) => id)
      const until = async (is: (counted: Counted) => boolean) => {
        for (const end = Date.now() + SETTLED_WITHIN_MS; Date.now() < end; await sleep(50)) {
          const counted = await server.ask('count', ids)
          if (is(counted)) return counted
        }
        return await server.ask('count', ids)
      }
      const values: Record<string, number[]> = {}
      const note = (what: string, value: number) => (values[what] = [...(values[what] ?? []), value])
      for (let run = 1; run <= RUNS; run++) {
        say(`run ${run}`)
        await agents.ask('print', 1_700_000_000 + run * 1000)
        await bystanders.ask('print', 1_700_000_000 + run * 1000)
        await until(({ printing, paused }) => printing === PRINTERS && paused === 0)
        await sleep(2_000)
        await server.ask('fail', ids)
        const before = cpuOf(pid)
        const asking = Object.entries(probes).map(([what, request]) => ({ what, ...probe(url, request) }))
        await sleep(500)
        const heard = await agents.ask(
          'post',
          tokens.map((token) => post(token)),
        )
        await sleep(AFTER_MS)
        for (const { what, end } of asking) note(`longest: ${what}`, Math.max(...(await end())))
        const after = cpuOf(pid)
        const counted = await until(({ paused, audited }) => paused === PRINTERS && audited === PRINTERS)
        note('told to pause', heard.length)
        note('last one told', Math.max(...heard))
        note('paused, by their rows', counted.paused)
        note('audit rows', counted.audited)
        note('node', after.node - before.node)
        note('postgres', after.postgres - before.postgres)
      }
      const of = (what: string) => values[what] ?? []
      const all = { aim: { above: PRINTERS - 0.5 } }
      const longest = Object.keys(probes).map((what): Measurement => {
        return {
          what: `longest answer, ${what}`,
          unit: 'ms',
          values: of(`longest: ${what}`),
          aim: { below: 500 },
        }
      })
      return [
        { what: 'printers told to pause', unit: '', values: of('told to pause'), ...all },
        { what: 'until the last one was', unit: 'ms', values: of('last one told'), aim: { below: 3_000 } },
        { what: 'prints written down as paused', unit: '', values: of('paused, by their rows'), ...all },
        { what: 'audit rows', unit: '', values: of('audit rows'), ...all },
        ...longest,
        { what: 'CPU of the server, with what was asked beside it', unit: 's', values: of('node') },
        { what: 'of PostgreSQL', unit: 's', values: of('postgres') },
      ]
    } finally {
      await Promise.all([agents.end(), bystanders.end()])
      await server.ask('stop').catch(() => undefined)
      await server.end()
    }
  },
}

export const benchmarks = [failing]
