import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { currentKey, keyOfLink, knownKeys, newLinkId } from '../../../lib/keyring.ts'
import { signMedia } from '../../../lib/signing.ts'
import {
  aNode,
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { mediaUrl } from '../../core/media/index.ts'
import { codeAt } from '../factors/codes.rules.ts'
import { linkToken } from '../mail/index.ts'
import { rotateSecrets, showSecrets } from './index.ts'
import { LEAD_MS } from './secrets.rules.ts'
import { LOOK_MS } from './secrets.service.ts'

const DAY_MS = 86_400_000
const FILM = { container: 'tsd-timelapses', path: '7/film.mp4' } as const
const secret = randomBytes(32).toString('hex')
let nodes: readonly [TestApp, TestApp]

beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterAll(() => vi.useRealTimers())
beforeEach(async () => {
  const one = await buildTestApp({ env: { VIGIL_SECRET: secret } })
  const other = await aNode(one.databaseUrl, { VIGIL_SECRET: secret })
  nodes = [one, other]
  for (const { ctx } of nodes) await ctx.files.put(FILM, Buffer.from('a film'))
  return async () => {
    await other.close()
    await one.close()
  }
})

const filmOf = (app: TestApp) => mediaUrl(app.ctx, FILM, { origin: '', prefix: '' })
/** What each node answers to an address. */
const statuses = async (path: string) =>
  await Promise.all(nodes.map(async (app) => (await call(app, 'GET', path)).status))
/** Signed by the first key, and for ever. */
const everlasting = () => {
  const path = `${FILM.container}/${FILM.path}`
  const expires = Math.floor(Date.now() / 1000) + 1000 * 86_400
  return `/media/${path}?digest=${signMedia(secret, path, expires)}&expires=${expires}`
}
/** Nodes look after their keys until it is so: one that still does leaves out a turn. */
const looking = (isSo: () => boolean | Promise<boolean>) =>
  eventually(async () => {
    vi.advanceTimersByTime(LOOK_MS)
    return (await isSo()) || undefined
  })
/** Time passes on a node, and it looks after its keys. */
async function later(app: TestApp, ms: number, number: number): Promise<void> {
  app.advance(ms)
  await looking(() => currentKey(app.ctx.config).number === number)
}
async function withApp(app: TestApp) {
  const owner = await aUser(app)
  const post = (path: string, body: object) =>
    call(app, 'POST', `/api/v1/auth/${path}`, { body, cookie: owner.cookie })
  const key = String((await post('factors/totp/', {})).json.secret)
  const code = codeAt(key, app.ctx.clock.now())
  const codes = (await post('factors/totp/confirm/', { code })).json.recovery_codes as string[]
  app.advance(30_000)
  return { owner, key, codes }
}
async function signIn(app: TestApp, { email }: TestUser, code: string): Promise<number> {
  const first = await call(app, 'POST', '/api/v1/auth/login/', { body: { email, password: PASSWORD } })
  const body = { ticket: first.json.ticket, code }
  return (await call(app, 'POST', '/api/v1/auth/login/factor/', { body })).status
}
const sealedOf = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('totpFactors').select('secret').executeTakeFirstOrThrow()).secret

it('a new key takes over on two nodes, one after the other, and nothing that is open ends', async () => {
  const [one, other] = nodes
  const { owner, key, codes } = await withApp(one)
  const { auth_token: agent } = await aPrinter(one, owner)
  const linkId = newLinkId(one.ctx.config)
  const [film, word, sealed] = [filmOf(one), linkToken(one.ctx, linkId), await sealedOf(one)]
  await rotateSecrets(one.ctx, 30 * DAY_MS)
  expect(await rotateSecrets(one.ctx, 0)).toBeNull()

  // The first signs with it, the other only knows it yet.
  await later(one, LEAD_MS + 1, 1)
  await looking(() => knownKeys(other.ctx.config).some(({ number }) => number === 1))
  expect(currentKey(other.ctx.config).number).toBe(0)
  expect(filmOf(one)).not.toBe(film)
  for (const url of [film, filmOf(one), filmOf(other)]) expect(await statuses(url)).toEqual([200, 200])
  await eventually(async () => (await sealedOf(one)) !== sealed || undefined)
  expect(await signIn(other, owner, codes[0] ?? '')).toBe(200)

  // Its clock is half a minute behind.
  await later(other, 2 * LEAD_MS + 1, 1)
  // No code of an app counts twice: here it is later.
  other.advance(120_000)
  for (const app of nodes) {
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie: owner.cookie })).status).toBe(200)
    expect((await call(app, 'GET', '/api/v1/octo/printer/', { agent })).status).toBe(200)
    expect(linkToken(app.ctx, linkId)).toBe(word)
    expect(await signIn(app, owner, codeAt(key, app.ctx.clock.now()))).toBe(200)
  }
  expect(await signIn(one, owner, codes[1] ?? '')).toBe(200)
  // A letter that is written after the next rotation still has the word of its link.
  const next = newLinkId(other.ctx.config)
  expect([keyOfLink(one.ctx.config, next).number, keyOfLink(one.ctx.config, linkId).number]).toEqual([1, 0])
})

it('what the key before has signed counts for as long as was said, and no longer', async () => {
  const [one, other] = nodes
  const old = everlasting()
  await rotateSecrets(one.ctx, 2 * DAY_MS)
  for (const app of nodes) await later(app, LEAD_MS + DAY_MS, 1)
  expect(await statuses(old)).toEqual([200, 200])
  for (const app of nodes) await later(app, DAY_MS + LOOK_MS, 1)
  await looking(async () => (await statuses(old)).every((status) => status === 403))
  expect(await statuses(filmOf(other))).toEqual([200, 200])
  expect(await showSecrets(one.ctx)).toMatchObject([
    { number: 0, isCurrent: false },
    { number: 1, until: null, isCurrent: true },
  ])
})

it('after a leak the key before counts no more as soon as the new one signs; a node that starts knows it', async () => {
  const [one] = nodes
  await rotateSecrets(one.ctx, 0)
  await later(one, LEAD_MS + 1, 1)
  expect((await call(one, 'GET', everlasting())).status).toBe(403)
  const kept = JSON.stringify(await one.ctx.db.selectFrom('instance').selectAll().execute())
  expect(kept).not.toContain(currentKey(one.ctx.config).secret)
  const fresh = await aNode(one.databaseUrl, { VIGIL_SECRET: secret })
  fresh.advance(LEAD_MS + 1)
  expect((await call(fresh, 'GET', '/api/v1/bootstrap/')).status).toBe(200)
  await later(fresh, 0, 1)
  await fresh.close()
})
