import { Ajv2020 } from 'ajv/dist/2020.js'
import { unzipSync } from 'fflate'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { allTables } from './belongings.queries.ts'
import { removeOldExports } from './export.service.ts'
import { fillTables } from './leaving.fixture.ts'

const FILE = '/api/v1/users/me/archive/file/'
let app: TestApp
let mailbox: TestSmtp
beforeAll(async () => {
  mailbox = await openTestSmtp()
  app = await buildTestApp({ env: { ...mailbox.env, PUBLIC_URL: 'http://vigil.test' } })
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
})
beforeEach(() => app.newWindows())

const make = ({ cookie }: TestUser) => call(app, 'POST', '/api/v1/users/me/archive/', { cookie })
const archive = async ({ cookie }: TestUser) =>
  (await call(app, 'GET', '/api/v1/users/me/leaving/', { cookie })).json.archive
const fetchFile = (cookie: string, headers: Record<string, string> = {}) =>
  fetch(app.url + FILE, { headers: { cookie, ...headers } })

async function ready(owner: TestUser) {
  expect((await make(owner)).status).toBe(200)
  await expect.poll(async () => (await archive(owner)).state).toBe('ready')
}

it('holds all rows, as its schema says, and all files; no secret is in it', async () => {
  const owner = await aUser(app)
  const printer = await aPrinter(app, owner, 'Prusa 打印机')
  const { id } = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'cube.gcode' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const video = { container: 'tsd-timelapses', path: `private/${id}.mp4` } as const
  const gone = { container: 'tsd-timelapses', path: `private/${id}.jpg` } as const
  await app.ctx.files.put(video, Buffer.from('a film'))
  await app.ctx.db
    .updateTable('prints')
    .set({ video: JSON.stringify(video), poster: JSON.stringify(gone) })
    .where('id', '=', id)
    .execute()
  const tables = (await allTables(app.ctx.db)).filter(({ whose }) => whose !== null)
  const filled = tables.map(({ table }) => table).filter((name) => name !== 'exports' && name !== 'prints')
  await fillTables(app.databaseUrl, owner.id, filled)
  await ready(owner)

  const bytes = new Uint8Array(await (await fetchFile(owner.cookie)).arrayBuffer())
  const files = unzipSync(bytes)
  const read = (name: string) => Buffer.from(files[name] ?? []).toString()
  expect(read(`files/tsd-timelapses/private/${id}.mp4`)).toBe('a film')
  expect(read('files/missing.txt')).toContain(`private/${id}.jpg`)
  const schema = JSON.parse(read('rows/schema.json'))
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, 'schema')
  for (const { table } of tables) {
    const rows = JSON.parse(read(`rows/${table}.json`)) as unknown[]
    const check = ajv.getSchema(`schema#/$defs/${table}`)
    expect([table, check?.(rows), check?.errors ?? null]).toEqual([table, true, null])
    expect([table, rows.length > 0]).toEqual([table, true])
  }
  expect(read('rows/printers.json')).toContain('Prusa 打印机')
  const all = Object.keys(files)
    .filter((name) => name.startsWith('rows/'))
    .map(read)
    .join('')
  const { passwordHash, unsubToken } = await app.ctx.db
    .selectFrom('users')
    .select(['passwordHash', 'unsubToken'])
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow()
  for (const secret of [printer.auth_token, passwordHash, unsubToken]) expect(all).not.toContain(secret)
  await mailbox.letterTo(owner.email, /can be fetched/)
})

it('is fetched in parts, by the session that asked for it alone, for 48 hours', async () => {
  const owner = await aUser(app)
  await ready(owner)
  const whole = Buffer.from(await (await fetchFile(owner.cookie)).arrayBuffer())
  expect(await archive(owner)).toMatchObject({ num_bytes: whole.length, is_here: true, missing: 0 })
  const first = await fetchFile(owner.cookie, { range: 'bytes=0-99' })
  const rest = await fetchFile(owner.cookie, {
    range: 'bytes=100-',
    'if-range': first.headers.get('etag') ?? '',
  })
  expect([first.status, rest.status]).toEqual([206, 206])
  const parts = [await first.arrayBuffer(), await rest.arrayBuffer()].map((part) => Buffer.from(part))
  expect(Buffer.concat(parts).equals(whole)).toBe(true)

  const again = await call(app, 'POST', '/api/v1/auth/login/', {
    body: { email: owner.email, password: PASSWORD },
  })
  const elsewhere = again.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const stranger = await aUser(app)
  for (const cookie of [elsewhere, stranger.cookie, '']) {
    const { status } = await fetchFile(cookie)
    expect(status).toBe(cookie === '' ? 403 : 404)
  }
  expect(await archive({ ...owner, cookie: elsewhere })).toMatchObject({ is_here: false })

  app.advance(48 * 3_600_000 + 1)
  expect((await fetchFile(owner.cookie)).status).toBe(404)
  await removeOldExports(app.ctx)
  const left: string[] = []
  for await (const path of app.ctx.files.list('tsd-timelapses', `exports/${owner.id}`)) left.push(path)
  expect(left).toEqual([])
})

it('asks who it is, and is made once however often it is asked for', async () => {
  const owner = await aUser(app)
  const asked = await Promise.all([make(owner), make(owner), make(owner)])
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
  await expect.poll(async () => (await archive(owner)).state).toBe('ready')
  app.advance(16 * 60_000)
  expect((await make(owner)).json).toMatchObject({ reason: 'proof_wanted' })
})

it('breaks off where a file cannot be read, and leaves nobody waiting for the rest', async () => {
  const owner = await aUser(app)
  const film = { container: 'tsd-timelapses', path: `private/broken-${owner.id}.mp4` } as const
  await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, filename: 'cube.gcode', video: JSON.stringify(film) })
    .execute()
  const { get, put } = app.ctx.files
  const ended: string[] = []
  app.ctx.files.put = (...how) => {
    const stored = put(...how)
    stored.then(
      () => ended.push('stored'),
      () => ended.push('refused'),
    )
    return stored
  }
  const broken = () =>
    new Readable({
      read() {
        this.destroy(new Error('no such sector'))
      },
    })
  app.ctx.files.get = () => Promise.resolve(broken())
  try {
    await make(owner)
    await expect.poll(async () => (await archive(owner)).state).toBe('failed')
    expect(ended).toEqual(['refused'])
  } finally {
    Object.assign(app.ctx.files, { get, put })
  }
  await ready(owner)
})

it('says that it failed, and can be asked for again', async () => {
  const owner = await aUser(app)
  const { put } = app.ctx.files
  app.ctx.files.put = () => Promise.reject(new Error('no room'))
  try {
    await make(owner)
    await expect.poll(async () => (await archive(owner)).state).toBe('failed')
  } finally {
    app.ctx.files.put = put
  }
  await ready(owner)
})

it('can be asked for again when the server that made it never came back', async () => {
  const owner = await aUser(app)
  const asked = { state: 'running' as const, askedAt: new Date(app.ctx.clock.now()) }
  await app.ctx.db
    .insertInto('exports')
    .values({ ...asked, userId: owner.id })
    .execute()
  await removeOldExports(app.ctx)
  expect(await archive(owner)).toMatchObject({ state: 'running' })
  app.advance(48 * 3_600_000 + 1)
  await removeOldExports(app.ctx)
  expect(await archive(owner)).toMatchObject({ state: 'failed' })
})
