import type { Endpoint, Reply } from '@vigil/contract/endpoint.ts'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { vi } from 'vitest'
import { answer as ofTheScene, printers, type World } from '../dev/stub.ts'

/** A call that a part made. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** An answer of the server: of success, or refused with a status of its own. */
interface Answer {
  readonly endpoint: Endpoint
  readonly reply: (
    asked: Asked,
  ) => { status: number; body: unknown } | Promise<{ status: number; body: unknown }>
}

/** What an endpoint of the contract answers. */
export const answers = <E extends Endpoint>(
  endpoint: E,
  reply: Reply<E> | ((asked: Asked) => Reply<E> | Promise<Reply<E>>),
): Answer => ({
  endpoint,
  reply: async (asked) => ({
    status: endpoint.status ?? 200,
    body: await (typeof reply === 'function' ? (reply as (asked: Asked) => unknown)(asked) : reply),
  }),
})

/** What a page is told first, in this scene: somebody is signed in, unless it says otherwise. */
export const booted = (scene: Partial<World> = {}): Reply<typeof bootstrap> =>
  ofTheScene({ signedIn: true, language: 'en', printers: printers(), ...scene }, 'GET', bootstrap.path)
    ?.body as Reply<typeof bootstrap>

/** What it refuses, and how. */
export const refuses = (endpoint: Endpoint, status: number, body: unknown = { detail: 'No.' }): Answer => ({
  endpoint,
  reply: () => ({ status, body }),
})

/** Nothing comes back: the line is gone. */
export const isAway = (endpoint: Endpoint): Answer => ({
  endpoint,
  reply: () => {
    throw new TypeError('fetch failed')
  },
})

const NOT_FOUND = { status: 404, body: { detail: 'Not found.' } }
const formOf = ({ path }: Endpoint) => new RegExp(`^${path.replaceAll(/\{\w+\}|:\w+/g, '[^/]+')}$`)

/**
 * Stands in the server's place for one test, and remembers what it was asked. What a test does not answer is answered by the scene in
 * `web/dev/stub.ts`: somebody signed in, and their printers.
 */
export function aServer(...first: Answer[]) {
  const asked: Asked[] = []
  let known = [...first]
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path, searchParams } = new URL(input, location.href)
    const method = init.method ?? 'GET'
    const call: Asked = {
      method,
      path,
      query: Object.fromEntries(searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    }
    asked.push(call)
    const answer = known.find(({ endpoint }) => endpoint.method === method && formOf(endpoint).test(path))
    const scene = { signedIn: true, language: 'en', printers: printers() } as const
    const { status, body } = (await answer?.reply(call)) ?? ofTheScene(scene, method, path) ?? NOT_FOUND
    return new Response(body === null ? null : JSON.stringify(body), {
      status: body === null ? 204 : status,
      headers: { 'Content-Type': 'application/json', Date: new Date().toUTCString() },
    })
  })
  return {
    asked,
    /** What was written, in order. */
    written: () => asked.filter(({ method }) => method !== 'GET'),
    /** From now on these answers go before those before. */
    now: (...next: Answer[]) => void (known = [...next, ...known]),
  }
}
