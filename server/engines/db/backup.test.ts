import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/pg.ts'
import { restoreBackup } from './backup.restore.ts'
import { ask, everything, fill } from './backup.rows.fixture.ts'
import { writeBackup } from './backup.ts'
import * as foundation from './migrations/0001-foundation.ts'
import { openDb } from './postgres.ts'

const log = { info: () => {}, warn: () => {} }
const databases: TestDatabase[] = []
let source: TestDatabase
let folder: string

async function fresh(): Promise<TestDatabase> {
  const database = await cloneDatabase()
  databases.push(database)
  return database
}

/** A database as the very first version left it. */
async function ofFirstShape(): Promise<TestDatabase> {
  const database = await fresh()
  await ask(database.url, 'drop schema public cascade')
  await ask(database.url, 'create schema public')
  const { db, close } = openDb(database.url, { log, poolSize: 1 })
  const provider = { getMigrations: () => Promise.resolve({ '0001-foundation': foundation }) }
  const { error } = await new Migrator({ db: db.withoutPlugins(), provider }).migrateToLatest()
  await close()
  expect(error).toBeUndefined()
  return database
}

beforeAll(async () => {
  source = await cloneDatabase()
  await ask(source.url, `select ensure_partitions('2031-12-01')`)
  await fill(source.url)
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-backup-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const database of databases.splice(0)) await database.drop()
})
afterAll(() => source.drop())

const backUp = (file = join(folder, 'one.vbk')) => writeBackup({ url: source.url, file, version: 'test' })

/** The file with another body and a hash that fits it. */
function forge(file: string, change: (bytes: Buffer) => Buffer): string {
  const body = change(readFileSync(file).subarray(0, -32))
  const forged = `${file}.forged`
  writeFileSync(forged, Buffer.concat([body, createHash('sha256').update(body).digest()]))
  return forged
}

describe('round trip', () => {
  test('every value comes back, keys and partitions too, and no number is given twice', async () => {
    const done = await backUp()
    expect(statSync(done.file).mode & 0o777).toBe(0o600)
    expect(statSync(done.file).size).toBe(done.bytes)
    expect(readdirSync(folder)).toEqual(['one.vbk'])
    const target = await fresh()
    // What a server that only just started leaves behind.
    await ask(target.url, `insert into instance values ('setup_token_sha256', '"x"')`)
    const keys = `select conname || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype = 'f' order by 1`
    const keysBefore = await ask(target.url, keys)
    const restored = await restoreBackup({ url: target.url, file: done.file, log })
    expect(restored).toMatchObject({ rows: done.rows, tables: done.tables, version: 'test' })
    expect(await everything(target.url)).toEqual(await everything(source.url))
    expect(await ask(target.url, keys)).toEqual(keysBefore)
    expect(
      await ask(target.url, `select tableoid::regclass::text from printer_events order by created_at`),
    ).toEqual(expect.arrayContaining(['printer_events_other', 'printer_events_2031_12']))
    expect(
      await ask(target.url, `insert into users (email) values ('new@example.org') returning id`),
    ).toEqual([4])
    expect(
      await ask(
        target.url,
        `insert into printers (user_id, name, auth_token) values (1, '', 'u') returning id`,
      ),
    ).toEqual([2])
  })

  test('a backup of an older shape is brought to the present one', async () => {
    const older = await ofFirstShape()
    await ask(older.url, `insert into users (email) values ('old@example.org')`)
    await ask(older.url, `insert into printers (user_id, name, auth_token) values (1, 'old', 't')`)
    const file = join(folder, 'older.vbk')
    await writeBackup({ url: older.url, file, version: '0.0.9' })
    const target = await fresh()
    expect(await restoreBackup({ url: target.url, file, log })).toMatchObject({
      migration: '0001-foundation',
    })
    expect(await ask<object>(target.url, 'select ignore_zones from printers')).toEqual([[]])
    expect(await ask(target.url, 'select count(*) from shared_resources')).toEqual(['0'])
  })

  test('what came with a row and was taken back since does not come back with it', async () => {
    const one = await fresh()
    await ask(one.url, `insert into users (email) values ('a@example.org'), ('b@example.org')`)
    await ask(one.url, 'delete from notification_settings where user_id = 1')
    const file = join(folder, 'channels.vbk')
    await writeBackup({ url: one.url, file, version: 'test' })
    const target = await fresh()
    await restoreBackup({ url: target.url, file, log })
    expect(await ask(target.url, 'select user_id from notification_settings')).toEqual([2])
    await ask(target.url, `insert into users (email) values ('c@example.org')`)
    expect(await ask(target.url, 'select user_id from notification_settings order by 1')).toEqual([2, 3])
  })

  test('a backup taken while writes go on is of one instant', async () => {
    const busy = await fresh()
    await ask(busy.url, `insert into users (email) values ('a@example.org')`)
    let isOver = false
    const writer = (async () => {
      const client = new pg.Client({ connectionString: busy.url })
      await client.connect()
      for (let n = 1; !isOver; n++) {
        // Both or none: the tables are read at different times.
        await client.query(
          `with event as (insert into audit (actor, action, outcome) values ('x', 'y', 'z'))
           insert into verification_codes (user_id, code, expired_at) values (1, $1, now())`,
          [n],
        )
      }
      await client.end()
    })()
    const counts: string[] = []
    try {
      for (const name of ['1', '2', '3']) {
        const file = join(folder, name)
        await writeBackup({ url: busy.url, file, version: 'test' })
        const target = await fresh()
        await restoreBackup({ url: target.url, file, log })
        const [audits] = await ask(target.url, 'select count(*) from audit')
        expect(await ask(target.url, 'select count(*) from verification_codes')).toEqual([audits])
        counts.push(audits!)
      }
    } finally {
      isOver = true
      await writer
    }
    expect(Number(counts[2])).toBeGreaterThan(Number(counts[0]))
  })
})

describe('refused, and nothing changed', () => {
  const kept = mkdtempSync(join(tmpdir(), 'vigil-backup-'))
  beforeAll(() => backUp(join(kept, 'sound.vbk')))
  afterAll(() => rmSync(kept, { recursive: true, force: true }))
  const aCopy = (): string => {
    const file = join(folder, 'one.vbk')
    copyFileSync(join(kept, 'sound.vbk'), file)
    return file
  }

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['cut to nothing', () => Buffer.alloc(0)],
    ['cut in its header', (bytes: Buffer) => bytes.subarray(0, 60)],
    ['of another kind', () => Buffer.from('PGDMP and so on, which is something else entirely')],
    [
      'one bit off',
      (bytes: Buffer) => {
        const changed = Buffer.from(bytes)
        changed[changed.length >> 1]! ^= 1
        return changed
      },
    ],
  ])('a file that is %s', async (_, change) => {
    const file = aCopy()
    writeFileSync(file, change(readFileSync(file)))
    const target = await fresh()
    await expect(restoreBackup({ url: target.url, file, log })).rejects.toThrow(/damaged|not a backup/)
    expect(await ask(target.url, 'select count(*) from users')).toEqual(['0'])
  })

  test.each([
    [
      'a table it does not have',
      (head: string) =>
        head.replace('"name":"zones', '"name":"zonks').replace('"name":"users"', '"name":"losers"'),
      /no table losers/,
    ],
    [
      'a migration of the future',
      (head: string) => head.replace('"0001-foundation"', '"0001-foundation","0009-moon"'),
      /newer version/,
    ],
    ['a format of the future', (head: string) => head.replace('backup 1', 'backup 2'), /newer version/],
  ])('a well-hashed file with %s', async (_, change, sentence) => {
    const file = aCopy()
    const forged = forge(file, (bytes) => {
      const end = bytes.indexOf('\n', 20) + 1
      return Buffer.concat([Buffer.from(change(bytes.toString('utf8', 0, end))), bytes.subarray(end)])
    })
    const target = await fresh()
    const before = await everything(target.url)
    await expect(restoreBackup({ url: target.url, file: forged, log })).rejects.toThrow(sentence)
    expect(await everything(target.url)).toEqual(before)
  })

  test('rows that break a foreign key take everything back', async () => {
    const { url } = await fresh()
    await ask(
      url,
      `set session_replication_role = replica;
      insert into printers (user_id, name, auth_token) values (77, 'orphan', 't')`,
    )
    const file = join(folder, 'broken.vbk')
    await writeBackup({ url, file, version: 'test' })
    const target = await fresh()
    await expect(restoreBackup({ url: target.url, file, log })).rejects.toThrow(
      /do not fit together.*foreign key/,
    )
    expect(await ask(target.url, 'select count(*) from printers')).toEqual(['0'])
  })

  test('a database with rows, and one in use', async () => {
    const file = aCopy()
    const before = await everything(source.url)
    await expect(restoreBackup({ url: source.url, file, log })).rejects.toThrow(/not empty/)
    expect(await everything(source.url)).toEqual(before)
    const target = await fresh()
    const server = new pg.Client({ connectionString: target.url, application_name: 'vigil' })
    await server.connect()
    await expect(restoreBackup({ url: target.url, file, log })).rejects.toThrow(/in use \(vigil\)/)
    await server.end()
    await restoreBackup({ url: target.url, file, log })
  })
})
