import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { inSuite } from '../../../scripts/suites.ts'
import { codeAt } from '../../modules/people/factors/codes.rules.ts'
import { aPrinter, aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../app.ts'

/** Docs/security.md, "Ten thousand guesses", says what comes of them. */
const GUESSES = 10_000
const AT_ONCE = 50
let app: TestApp
let owner: TestUser
let stranger: TestUser
let ticket: string
let share: string

// Ten thousand take longer than a window: here they all come in one.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  app = await buildTestApp()
  await aUser(app, { isAdmin: true })
})
afterAll(async () => {
  await app.close()
  vi.useRealTimers()
})
beforeEach(async () => {
  app.newWindows()
  owner = await aUser(app)
  stranger = await aUser(app)
  const own = (path: string, body: object) =>
    call(app, 'POST', `/api/v1/${path}`, { cookie: owner.cookie, body })
  const { id } = await aPrinter(app, owner)
  share = (await own(`printers/${id}/share_links/`, { pin: '471147' })).json.share_token
  const { secret } = (await own('auth/factors/totp/', {})).json
  await own('auth/factors/totp/confirm/', { code: codeAt(secret, app.ctx.clock.now()) })
  const asked = await call(app, 'POST', '/api/v1/auth/login/', {
    body: { email: owner.email, password: PASSWORD },
  })
  ticket = asked.json.ticket
})

interface Kind {
  readonly path: string
  readonly body?: (n: number) => object
  readonly headers?: (n: number) => Record<string, string>
  readonly method?: 'GET'
  /** So many are looked at from one address, and from all together; null: nothing but their length keeps them from being met. */
  readonly here: number
  readonly all: number | null
}

const KINDS: Record<string, Kind> = {
  'the password of an account': {
    path: '/api/v1/auth/login/',
    body: (n) => ({ email: owner.email, password: `a guess, the ${n}th` }),
    here: 5,
    all: 50,
  },
  'the code of an authenticator app': {
    path: '/api/v1/auth/login/factor/',
    body: (n) => ({ ticket, code: String(n).padStart(6, '0') }),
    here: 5,
    all: 20,
  },
  'the code that links a printer': {
    path: '/api/v1/octo/verify/',
    body: (n) => ({ code: String(n).padStart(6, '0') }),
    here: 10,
    all: 300,
  },
  'the PIN of a share link': {
    path: '/api/v1p/printer/pin/',
    body: (n) => ({ share_token: share, pin: String(n).padStart(5, '0') }),
    here: 5,
    all: 60,
  },
  'the passcode that a printer shows': {
    path: '/api/v1/one_time_passcodes/',
    body: (n) => ({ one_time_passcode: n.toString(36).padStart(5, '0'), verification_code: '000000' }),
    headers: () => ({ cookie: stranger.cookie }),
    here: 5,
    all: 5,
  },
  'the word of an invitation': {
    path: '/api/v1/invitations/accept/',
    body: (n) => ({ key: `guess-${n}` }),
    headers: () => ({ cookie: stranger.cookie }),
    here: 20,
    all: null,
  },
  'the word of a link for a new password': {
    path: '/api/v1/auth/password/reset/confirm/',
    body: (n) => ({ uid: '1', token: `guess-${n}`, password: 'another good one' }),
    here: 20,
    all: null,
  },
  'an API key': {
    path: '/api/v1/printers/',
    method: 'GET',
    headers: (n) => ({ 'x-api-key': `vigil_${String(n).padStart(43, '0')}` }),
    here: 60,
    all: null,
  },
}

/** Guesses so often; how many were looked at. */
async function guess(
  { path, method, body, headers }: Kind,
  times: number,
  from: (n: number) => string,
): Promise<number> {
  let looked = 0
  const one = async (n: number) => {
    const { status } = await call(app, method ?? 'POST', path, {
      headers: { 'x-forwarded-for': from(n), ...headers?.(n) },
      ...(body && { body: body(n) }),
    })
    expect([n, status]).toEqual([n, expect.toSatisfy((code: number) => code >= 400 && code < 500)])
    if (status !== 429) looked++
  }
  for (let at = 0; at < times; at += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, times - at) }, (_, i) => one(at + i)))
  return looked
}

it.each(Object.keys(KINDS))(
  '%s is not guessed, from one address or from many',
  async (name) => {
    const kind = KINDS[name]!
    const times = inSuite((kind.all ?? kind.here) + 20, GUESSES)
    expect(await guess(kind, times, () => '198.51.100.7')).toBe(kind.here)
    const left = kind.all === null ? times : Math.max(0, kind.all - kind.here)
    expect(await guess(kind, times, (n) => `198.18.${n >> 8}.${n & 255}`)).toBe(left)
  },
  inSuite(30_000, 1_200_000),
)
