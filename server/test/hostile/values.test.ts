import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inSuite } from '../../../scripts/suites.ts'
import type { RouteRow } from '../../http/route.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../app.ts'
import { openTestSmtp, type TestSmtp } from '../smtp.ts'

/** Values as they stand in JSON: some cannot be written by JSON.stringify. */
const HOSTILE = [
  '1e999',
  '-1e999',
  '123456789012345678901234567890',
  '-9223372036854775809',
  '2147483648',
  '0.1',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"NaN"',
  '"Infinity"',
  '"1e400"',
  '"0x10"',
  '""',
  '" "',
  'null',
  'true',
  '[]',
  '[null]',
  '{}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"bytes":{"type":"Buffer","data":[1]},"filename":"x"}',
  `${'['.repeat(70)}${']'.repeat(70)}`,
  JSON.stringify('x'.repeat(70_000)),
  JSON.stringify('𝕏"\'\\;--%00\r\n\u2028'),
]
/** In the gate a field meets one in four of them, its neighbours the others. */
const SHARES = inSuite(4, 1)
let turn = 0
/** The share of the next field. */
function someOf<T>(values: readonly T[]): T[] {
  turn++
  return values.filter((_, at) => at % SHARES === turn % SHARES)
}
const IN_PATH = [
  '0',
  '-1',
  '1.5',
  '2147483648',
  '99999999999999999999',
  '%00',
  '%ed%a0%80',
  'null',
  '__proto__',
  "1'--",
]

let app: TestApp
let mailbox: TestSmtp
let user: TestUser
let token: string
let printerId: number

beforeAll(async () => {
  mailbox = await openTestSmtp()
  app = await buildTestApp({
    env: { ACCOUNT_ALLOW_SIGN_UP: 'true', ...mailbox.env, SUPPORT_EMAIL: 'help@example.org' },
  })
  // who tells the server its address, so that letters can be sent
  await aUser(app, { isAdmin: true })
  user = await aUser(app)
  const printer = await aPrinter(app, user)
  token = printer.auth_token
  printerId = printer.id
})

afterAll(async () => {
  await app?.close()
  await mailbox?.close()
})

let counter = 0

/** As whoever may call, from an address of its own, so that no throttle hides what lies behind it. */
async function send(
  { method, callers }: RouteRow,
  path: string,
  body?: string,
): Promise<{ status: number; said: string }> {
  const credential: Record<string, string> = callers.includes('printer')
    ? { authorization: `Token ${token}` }
    : callers.includes('session')
      ? { cookie: user.cookie }
      : {}
  const n = ++counter
  const answer = await fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...credential,
      'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, said: (await answer.text()).slice(0, 300) }
}

const fieldsOf = (schema: z.ZodType | undefined) =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
/** These end what the other calls need. */
const isEnding = ({ path, method }: RouteRow) =>
  method === 'DELETE' || /\/(logout|archive|password)\//.test(path)
const routes = () => app.server.app.routeTable.filter((row) => row.kind === 'rest' && !isEnding(row))
const filled = (path: string) => path.replace(':id', String(path.includes('/printers/') ? printerId : 1))

describe('hostile values', () => {
  it('in bodies never break a route, nor what it stored', async () => {
    const broken: unknown[] = []
    for (const row of routes()) {
      for (const field of fieldsOf(row.endpoint?.body)) {
        for (const value of someOf(HOSTILE)) {
          const name =
            row.endpoint?.method === 'POST' && row.path === '/api/v1/printers/' && field !== 'name'
              ? '"name":"x",'
              : ''
          const { status, said } = await send(
            row,
            filled(row.path),
            `{${name}${JSON.stringify(field)}:${value}}`,
          )
          if (status >= 500) broken.push([row.method, row.path, field, value.slice(0, 60), status, said])
        }
      }
      // What has no body is asked once.
      for (const body of row.method === 'GET' ? [''] : someOf(HOSTILE)) {
        const { status, said } = await send(row, filled(row.path), body || undefined)
        if (status >= 500) broken.push([row.method, row.path, 'body', body.slice(0, 60), status, said])
      }
    }
    expect(broken).toEqual([])
    for (const row of routes().filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
      expect([row.path, (await send(row, row.path)).status]).toEqual([
        row.path,
        expect.toSatisfy((status: number) => status < 500),
      ])
    }
  }, 600_000)

  it('in queries and paths never break a route', async () => {
    const broken: unknown[] = []
    for (const row of routes()) {
      for (const name of fieldsOf(row.endpoint?.query)) {
        for (const value of someOf([...IN_PATH, '', '1&'.repeat(300), 'x'.repeat(5000)])) {
          const { status, said } = await send(row, `${filled(row.path)}?${name}=${value}&${name}[]=${value}`)
          if (status >= 500) broken.push([row.method, row.path, name, value.slice(0, 60), status, said])
        }
      }
      if (!row.path.includes(':id')) continue
      for (const value of IN_PATH) {
        const { status, said } = await send(
          row,
          row.path.replace(':id', value),
          row.method === 'GET' ? undefined : '{}',
        )
        if (status !== 404 && status !== 400) broken.push([row.method, row.path, value, status, said])
      }
    }
    expect(broken).toEqual([])
  }, 600_000)
})
