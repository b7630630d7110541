/** The same requests again and again, over so many connections, as fast as they are answered. */
import { answerBenchmark } from '../lib/load.ts'
import { Connection } from '../lib/connection.ts'

export interface RequestsLoad extends Record<string, (input: never) => unknown> {
  run(options: RequestsOptions): Promise<{ readonly answered: number; readonly seconds: number }>
}

export interface RequestsOptions {
  readonly url: string
  readonly connections: number
  /** No more requests than this, and none after so many seconds. */
  readonly atMost: number
  readonly seconds: number
  /** Heads of the requests, shared out to the connections and taken in turn: never two of one at a time. */
  readonly heads: readonly string[]
  readonly body?: Uint8Array
  /** Which answer is meant; 200 unless given. */
  readonly status?: number
  /** A connection for each request, as the agents' Python client makes them. */
  readonly isFresh?: boolean
}

answerBenchmark({
  async run({ url, connections, atMost, seconds, heads, body, isFresh, status: meant = 200 }) {
    const prepared = heads.map((head) => Buffer.from(head, 'latin1'))
    const until = performance.now() + seconds * 1000
    let begun = 0
    let answered = 0
    const work = async (first: number): Promise<void> => {
      let turn = first % prepared.length
      let connection = await Connection.open(url)
      while (performance.now() < until && begun < atMost) {
        begun++
        const head = prepared[turn] as Buffer
        turn = turn + connections < prepared.length ? turn + connections : first % prepared.length
        const status = await connection.send(...(body ? [head, body] : [head]))
        if (status !== meant) throw new Error(`a request was answered ${status}`)
        answered++
        if (!isFresh) continue
        connection.close()
        connection = await Connection.open(url)
      }
      connection.close()
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: connections }, (_, first) => work(first)))
    return { answered, seconds: (performance.now() - began) / 1000 }
  },
} satisfies RequestsLoad)
