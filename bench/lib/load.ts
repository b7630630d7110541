/** Load comes from processes of its own, so that its processor time is not the server's. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

type Work = Record<string, (input: never) => unknown>

/** A process that makes load, as the benchmark sees it. */
export interface Load<W extends Work> {
  ask<K extends keyof W & string>(what: K, ...input: Parameters<W[K]>): Promise<Awaited<ReturnType<W[K]>>>
  end(): Promise<void>
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** Starts `bench/load/{name}.ts`. */
export function startLoad<W extends Work>(name: string): Load<W> {
  const child = fork(join(import.meta.dirname, `../load/${name}.ts`), { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let last = 0
  const fail = (why: string) => {
    for (const { reject } of waiting.values()) reject(new Error(`The load "${name}" ${why}`))
    waiting.clear()
  }
  child.on('message', ({ id, value, error }: Answer) => {
    const question = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) question?.resolve(value as never)
    else question?.reject(new Error(`${name}: ${error}`))
  })
  child.on('exit', (code) => fail(`ended with ${code}`))
  return {
    ask: (what, ...input) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        child.send({ id, what, input: input[0] }, (error) => error && reject(error))
      }),
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The other end: answers one question after the other until the benchmark goes away. */
export function answerBenchmark(work: Work): void {
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, what, input }: { id: number; what: string; input: never }) => {
    void (async () => {
      try {
        process.send?.({ id, value: await work[what]?.(input) })
      } catch (error) {
        process.send?.({ id, error: error instanceof Error ? error.message : String(error) })
      }
    })()
  })
}
