import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { createApp } from './app.ts'
import { forbidden } from './errors.ts'
import type { PrinterPrincipal, UserPrincipal } from './principal.ts'
import { socket } from './socket.ts'
import { asId } from '../test/ids.ts'

const user: UserPrincipal = {
  kind: 'user',
  via: 'session',
  userId: asId(7),
  language: 'en',
  sessionId: asId(1),
}
const printer: PrinterPrincipal = { kind: 'printer', printerId: asId(3), userId: asId(7) }
const lines: { msg?: string; err?: { message: string } }[] = []
let app: FastifyInstance
let url: string

beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const ctx = { config: readConfig({ NODE_ENV: 'test' }), log } as unknown as Ctx
  app = await createApp(ctx, {
    session: async (token) => (token === 'good' ? user : null),
    accessToken: async () => null,
    printerToken: async (token) => (token === 'good' ? printer : null),
  })
  socket(
    app,
    { path: '/ws/thing/:name/', callers: ['session'] },
    {
      before: async ({ params, principal }) => {
        if (params['name'] === 'theirs') throw forbidden('Not found.')
        return { name: params['name'], owner: principal.userId }
      },
      open: async (ws, call, thing) => {
        if (thing.name === 'broken') throw new Error('it fell over')
        ws.send(JSON.stringify({ ...thing, asked: call.principal.userId }))
      },
    },
  )
  socket(
    app,
    { path: '/ws/dev/', callers: ['printer'] },
    {
      open: (ws, { principal }, found) => ws.send(JSON.stringify([principal.printerId, found ?? 'nothing'])),
    },
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

async function hear(path: string, headers: Record<string, string>): Promise<unknown> {
  const ws = new WebSocket(url + path, { headers })
  const message = once(ws, 'message').then(([data]) => JSON.parse(String(data)) as unknown)
  const refused = once(ws, 'unexpected-response').then(
    ([, response]) => (response as { statusCode: number }).statusCode,
  )
  const closed = once(ws, 'close').then(([code]) => `closed ${code}`)
  ws.on('error', () => undefined)
  const heard = await Promise.race([message, refused, closed].map((one) => one.catch(() => never())))
  ws.terminate()
  return heard
}
const never = () => new Promise<never>(() => undefined)
const session = { cookie: 'tsd_sessionid=good' }

test('what is found before the upgrade is what the open socket gets, each its own', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `n${i}`)
  expect(await Promise.all(names.map((name) => hear(`/ws/thing/${name}/`, session)))).toEqual(
    names.map((name) => ({ name, owner: 7, asked: 7 })),
  )
})

test('who is not named, and what is refused, is refused before the upgrade', async () => {
  expect(await hear('/ws/thing/mine/', {})).toBe(403)
  expect(await hear('/ws/thing/mine/', { authorization: 'Token good' })).toBe(403)
  expect(await hear('/ws/thing/theirs/', session)).toBe(403)
})

test('the principal is of those who may call, also for the types', async () => {
  expect(await hear('/ws/dev/', { authorization: 'Bearer good' })).toEqual([3, 'nothing'])
})

test('a socket that cannot be served is cut, and the log says why', async () => {
  expect(await hear('/ws/thing/broken/', session)).toBe('closed 1006')
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'a socket could not be served',
      err: expect.objectContaining({ message: 'it fell over' }),
    }),
  )
})
