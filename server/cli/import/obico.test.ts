import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openForeign } from '../../engines/db/foreign.ts'
import { hashOf } from '../../lib/signing.ts'
import { tunnelOfApp } from '../../modules/remote/grants/grants.service.ts'
import { buildTestApp, call, type TestApp } from '../../test/app.ts'
import { cloneDatabase, type TestDatabase } from '../../test/pg.ts'
import { connectAgent } from '../../test/wire/agent.ts'
import { writeMedia, writePostgres, writeSqlite } from './obico.fixture.ts'
import { TUNNEL } from './obico.rows.fixture.ts'
import { type Imported, importObico } from './obico.ts'
import { PRINTS } from './prints.ts'
import { findFull } from './target.queries.ts'
import { World } from './world.ts'

const above = mkdtempSync(join(tmpdir(), 'vigil-import-'))
const [sqlite, media] = [join(above, 'db.sqlite3'), join(above, 'media')]
let app: TestApp
let old: TestDatabase
let dry: Imported
let done: Imported
/** What the trial has left behind. */
let after: { full: string | undefined; file: unknown }

async function run(place: string, isDry: boolean): Promise<Imported> {
  const source = await openForeign(place)
  try {
    return await importObico(app.ctx, { source, media, isDry })
  } finally {
    await source.close()
  }
}

beforeAll(async () => {
  writeMedia(media)
  writeSqlite(sqlite)
  ;[app, old] = await Promise.all([buildTestApp(), cloneDatabase()])
  await writePostgres(old.url)
  dry = await run(sqlite, true)
  after = {
    full: await findFull(app.ctx.db, ['users', 'printers', 'prints', 'printer_events']),
    file: await app.ctx.files.stat({ container: 'tsd-gcodes', path: '11/31' }),
  }
  done = await run(sqlite, false)
})
afterAll(async () => {
  await Promise.all([app.close(), old.drop()])
  rmSync(above, { recursive: true, force: true })
})

const told = ({ tables }: Imported, from: string) => tables.filter((one) => one.from === from)

describe('what comes', () => {
  test('is told on trial as it then is, from SQLite and from PostgreSQL alike', async () => {
    expect(after).toEqual({ full: undefined, file: null })
    expect(done).toEqual(dry)
    const source = await openForeign(old.url)
    const empty = await buildTestApp()
    try {
      expect(await importObico(empty.ctx, { source, media, isDry: true })).toEqual(dry)
    } finally {
      await Promise.all([source.close(), empty.close()])
    }
  })

  test('is said table by table, with a reason for each row and each table that stays', () => {
    expect(told(done, 'app_user')[0]).toEqual({
      from: 'app_user',
      to: 'users',
      rows: 3,
      came: 2,
      left: { 'have the address of another account (ann@example.ORG); change it there first': 1 },
    })
    expect(told(done, 'oauth2_provider_accesstoken')[0]).toMatchObject({ came: 1, left: { 'have ended': 1 } })
    expect(told(done, 'app_notificationsetting')[0]?.left).toEqual({
      'are of pigeon, a channel that is not known here': 1,
    })
    expect(told(done, 'django_session')[0]).toMatchObject({ to: null, rows: 1 })
    expect(Object.keys(told(done, 'app_newthing')[0]?.left ?? {})[0]).toMatch(/not known here/)
    // one account that never had a password; the poster and a G-code file that are gone
    expect(done).toMatchObject({ files: 5, missing: 2, withoutPassword: 1 })
  })

  test('a film that somebody sent is over since then: it is kept, weighed and put away as any other', () => {
    const world = new World(media, 0, new Map())
    world.note('prints', 5)
    world.filmBytes.set(5, 7)
    const row = { id: 5, finished_at: null, cancelled_at: null, uploaded_at: '2026-01-02 03:04:05' }
    expect(PRINTS.find(({ to }) => to === 'timelapses')?.row(row, world)).toMatchObject({
      print_id: 5,
      ended_at: '2026-01-02T03:04:05Z',
      state: 'ready',
      file_bytes: 7,
    })
  })

  test('is refused by whom it would be mixed with, and where there is no such server', async () => {
    await expect(run(sqlite, true)).rejects.toThrow(/not empty \(there are rows in users\)/)
    await expect(openForeign(join(above, 'nothing'))).rejects.toThrow(/no file/)
    await expect(openForeign(join(media, 'tsd-gcodes/11/31'))).rejects.toThrow(/no database of SQLite/)
    await expect(run(app.databaseUrl, true)).rejects.toThrow(
      /no database of an Obico server: there is no app_user/,
    )
  })
})

test('accounts of a server that knows no brands are of the first', async () => {
  const older = join(above, 'older.sqlite3')
  writeSqlite(older)
  const database = new DatabaseSync(older)
  database.exec('drop table app_syndicate')
  database.close()
  const [source, empty] = await Promise.all([openForeign(older), buildTestApp()])
  try {
    await importObico(empty.ctx, { source, media: null, isDry: false })
    const brands = await empty.ctx.db.selectFrom('users').select('brand').distinct().execute()
    expect(brands).toEqual([{ brand: empty.ctx.config.brands[0].name }])
  } finally {
    await Promise.all([source.close(), empty.close()])
  }
})

describe('who was there goes on', () => {
  const signIn = (password: string) =>
    call(app, 'POST', '/api/v1/auth/login/', {
      body: { email: 'ann@example.org', password, remember: false },
    })
  const hash = async () => {
    const row = await app.ctx.db
      .selectFrom('users')
      .select('passwordHash')
      .where('email', '=', 'Ann@example.org')
      .executeTakeFirst()
    return row?.passwordHash ?? ''
  }

  test('people sign in with the password they had, which is hashed anew then', async () => {
    expect((await signIn('another password')).status).toBe(400)
    expect(await hash()).toMatch(/^pbkdf2_sha256\$/)
    const { status, headers } = await signIn('her old password')
    expect(status).toBe(200)
    expect(await hash()).toMatch(/^\$argon2id\$/)
    const cookie = headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie })).json).toMatchObject({
      id: 11,
      first_name: 'Ann',
      is_primary_email_verified: true,
    })
    const { json } = await call(app, 'GET', '/api/v1/prints/?limit=10', { cookie })
    expect(json).toContainEqual(
      expect.objectContaining({
        id: 20,
        filename: 'benchy.gcode',
        video_url: expect.stringMatching(/private\/20\.mp4/),
        poster_url: null,
      }),
    )
    expect((await call(app, 'GET', '/api/v1/printers/', { cookie })).json).toMatchObject([
      { id: 7, name: 'Prusa', action_on_failure: 'NONE', current_print: { id: 21 } },
    ])
    expect((await call(app, 'GET', '/api/v1/printer_events/?limit=10', { cookie })).json).toHaveLength(2)
    expect((await signIn('her old password')).status).toBe(200)
  })

  test('an agent comes with the token that it has, a deleted printer’s does not', async () => {
    const agent = await connectAgent(app, 'token-of-agent-7')
    agent.close()
    expect(
      (await call(app, 'GET', '/api/v1/octo/printer/', { agent: 'token-of-agent-7' })).json,
    ).toMatchObject({ printer: { name: 'Prusa' } })
    expect((await call(app, 'GET', '/api/v1/octo/printer/', { agent: 'token-of-agent-8' })).status).toBe(401)
  })

  test('links, slicers, apps, channels and files do', async () => {
    expect((await fetch(`${app.url}/printers/share_token/shared-with-a-friend/`)).status).toBe(200)
    const asked = { headers: { 'x-api-key': 'a token of a slicer' } }
    expect((await call(app, 'GET', '/api/v1/version/', asked)).status).toBeLessThan(300)
    const { rows: tokens } = await sql<{
      application: string
    }>`select application from access_tokens where token_hash = ${hashOf('a token of a slicer')}`.execute(
      app.ctx.db,
    )
    expect(tokens).toEqual([{ application: 'OrcaSlicer' }])
    expect(await tunnelOfApp(app.ctx, TUNNEL.username, 'c'.repeat(64))).toBeNull()
    expect(await tunnelOfApp(app.ctx, TUNNEL.username, TUNNEL.password)).toMatchObject({
      app: 'OctoApp',
      code: TUNNEL.code,
    })
    expect(await tunnelOfApp(app.ctx, TUNNEL.username, TUNNEL.password)).toMatchObject({
      passwordHash: hashOf(TUNNEL.password),
    })
    const channels = await app.ctx.db
      .selectFrom('notificationSettings')
      .select(['name', 'config', 'notifyOnPrintDone'])
      .where(sql<boolean>`user_id = 11 and name <> 'mobile'`)
      .orderBy('name')
      .execute()
    expect(channels).toEqual([
      { name: 'email', config: {}, notifyOnPrintDone: false },
      { name: 'telegram', config: { chat_id: '42' }, notifyOnPrintDone: true },
    ])
    const film = await app.ctx.files.get({ container: 'tsd-timelapses', path: 'private/20.mp4' })
    expect(film && (await text(film))).toBe('a film')
    const file = await app.ctx.db
      .selectFrom('gCodeFiles')
      .select(['sha256', 'parentFolderId', 'thumbnails'])
      .where('filename', '=', 'benchy.gcode')
      .executeTakeFirst()
    expect(file).toMatchObject({
      sha256: hashOf('G28').toString('hex'),
      parentFolderId: 1,
      thumbnails: [{ container: 'tsd-timelapses' }],
    })
  })

  test('and what is made next has the next number', async () => {
    const { id } = await app.ctx.db
      .insertInto('users')
      .values({ email: 'new@example.org' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(Number(id)).toBe(13)
  })
})
