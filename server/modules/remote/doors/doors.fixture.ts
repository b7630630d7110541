import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestApp, TestUser } from '../../../test/app.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { entranceTo } from '../origins/pass.service.ts'

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string
  /** Another port than the server's main one. */
  readonly at?: number
}

/** Asks as a browser that finds this host at that server. */
export async function visitAt(
  app: TestApp,
  host: string,
  path: string,
  options: Asked = {},
): Promise<Answered> {
  const { method = 'GET', headers = {}, body, at = Number(new URL(app.url).port) } = options
  const request = ask({ host: '127.0.0.1', port: at, path, method, headers: { host, ...headers } })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const text = (await buffer(response)).toString()
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

const edge = {
  origin: 'http://vigil.test',
  prefix: '',
  address: '203.0.113.9',
  isLocalNetwork: false,
  proxy: 'none',
} as const

/** The address with a ticket by which somebody enters who has the app open at `http://vigil.test`. */
export async function entranceFor(app: TestApp, tunnel: TunnelRow, who: TestUser): Promise<URL> {
  const { id } = await app.ctx.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', who.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const principal = { kind: 'user', via: 'session', userId: who.id, language: 'en', sessionId: id } as const
  const url = await entranceTo(app.ctx, tunnel, { principal, edge, userAgent: undefined })
  return new URL(url ?? 'none:')
}
