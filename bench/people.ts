import type { Benchmark } from './lib/benchmark.ts'
import { startBenchServer } from './lib/server.ts'

const PEOPLE = 10_000
const RUNS = 30
const AIM_MS = 100

/** What an administrator asks for: all, by part of a name, by what nobody has, and the last page. */
const QUERIES = ['', '?q=person+77', '?q=nobody%40nowhere', `?start=${PEOPLE - 50}`] as const

const people: Benchmark = {
  name: 'people',
  conditions: `GET /api/v1/admin/people/ of a server with ${PEOPLE} accounts, a printer each; ${RUNS} calls of each kind, one after the other.`,
  async run() {
    const server = await startBenchServer()
    try {
      const cookie = await server.signIn()
      await server.query(`
        insert into users (email, first_name, last_name, consented_at)
        select 'person' || n || '@example.org', 'Person', n::text, now() from generate_series(1, ${PEOPLE}) n`)
      await server.query(
        `insert into printers (user_id, name, auth_token) select id, 'Ender', 'bench-' || id from users where first_name = 'Person'`,
      )
      await server.query('update users set is_staff = true where id = 1')
      await server.query('analyze users')
      const values: number[] = []
      for (const query of QUERIES)
        for (let run = 0; run < RUNS; run++) {
          const began = performance.now()
          const answer = await fetch(`${server.url}/api/v1/admin/people/${query}`, { headers: { cookie } })
          if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
          await answer.arrayBuffer()
          values.push(performance.now() - began)
        }
      return [{ what: 'a page of people', unit: 'ms', values, aim: { below: AIM_MS } }]
    } finally {
      await server.stop()
    }
  },
}

export const benchmarks = [people]
