import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropCopy, keepCopy, putCopyBack } from '../engines/db/before-update.ts'
import { type Embedded, openEmbedded } from '../engines/db/embedded.ts'
import { prepareFolder } from '../test/spawned.ts'
import { readJournal, settleUpdate, type UpdateJournal, writeJournal } from './update-journal.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'vigil-journal-'))
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
let embedded: Embedded

beforeAll(async () => {
  prepareFolder(dataFolder)
  embedded = await openEmbedded({ dataFolder, log: SILENT })
})
afterAll(async () => {
  await embedded.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

async function ask(statement: string, url = embedded.url): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows.flatMap((row) => Object.values(row))
  } finally {
    await client.end()
  }
}

const journal: UpdateJournal = {
  phase: 'switching',
  from: '1',
  to: '2',
  at: 0,
  program: { root: '/nowhere', next: '/nowhere/next', before: '/nowhere/before', entries: [] },
}
const settle = async () => await settleUpdate({ dataFolder }, embedded.url, SILENT)
const databases = async () =>
  (await ask(`select datname::text from pg_database where datname like 'vigil%' order by 1`)).join()

test('between two servers the database is copied, and put back with all it held; who still used it is sent away', async () => {
  await ask('create table told (what text)')
  await ask(`insert into told values ('before')`)
  const idle = new pg.Client(embedded.url)
  idle.on('error', () => undefined)
  await idle.connect()
  writeJournal({ dataFolder }, journal)
  expect(await settle()).toBe(true)
  expect(readJournal({ dataFolder })?.phase).toBe('switched')
  await expect(idle.query('select 1')).rejects.toThrow()
  expect(await databases()).toBe('vigil,vigil_before_update')
  // While it is watched nothing more is done.
  expect(await settle()).toBe(true)

  await ask('drop table told')
  writeJournal({ dataFolder }, { ...journal, phase: 'back' })
  expect(await settle()).toBe(true)
  expect(await ask('select what from told')).toEqual(['before'])
  expect(readJournal({ dataFolder })).toBe(null)
  expect(await databases()).toBe('vigil')
})

test('put back and stopped between its two renames, it is put back by the next try', async () => {
  await keepCopy(embedded.url)
  await ask('update told set what = $$after$$')
  const beside = embedded.url.replace('/vigil?', '/postgres?')
  await ask('alter database vigil rename to vigil_failed_update', beside)
  // What a start makes that finds none.
  await ask('create database vigil', beside)
  expect(await putCopyBack(embedded.url)).toBe(true)
  expect(await ask('select what from told')).toEqual(['before'])
  expect(await databases()).toBe('vigil')
  expect(await putCopyBack(embedded.url)).toBe(false)
})

const beside = () => embedded.url.replace('/vigil?', '/postgres?')

test('put back by a keeper that lives on, it needs no empty database in the place of the one that is renamed', async () => {
  await keepCopy(embedded.url)
  await ask('alter database vigil rename to vigil_failed_update', beside())
  expect(await putCopyBack(embedded.url)).toBe(true)
  expect(await ask('select what from told')).toEqual(['before'])
  expect(await databases()).toBe('vigil')
})

test('gone back from after the copy was stopped half-way, the database is open again', async () => {
  await ask('alter database vigil with allow_connections false', beside())
  writeJournal({ dataFolder }, { ...journal, phase: 'back' })
  expect(await settle()).toBe(true)
  expect(await ask('select what from told')).toEqual(['before'])
})

test('gone back from while the database is copied, the new version does not begin, and the next finds all as it was', async () => {
  writeJournal({ dataFolder }, journal)
  const settling = settle()
  writeJournal({ dataFolder }, { ...journal, phase: 'back' })
  expect(await settling).toBe(false)
  expect(readJournal({ dataFolder })?.phase).toBe('back')
  expect(await settle()).toBe(true)
  expect(await ask('select what from told')).toEqual(['before'])
  expect(await databases()).toBe('vigil')
})

test('gone back from while the copy fails, it stays gone back from', async () => {
  const away = embedded.url.replace(/host=.*/, 'host=%2Fnowhere')
  writeJournal({ dataFolder }, journal)
  const settling = settleUpdate({ dataFolder }, away, SILENT)
  writeJournal({ dataFolder }, { ...journal, phase: 'back' })
  expect(await settling).toBe(false)
  expect(readJournal({ dataFolder })).toEqual({ ...journal, phase: 'back' })
})

test('a disk that takes no word does not end the keeper', async () => {
  const away = embedded.url.replace(/host=.*/, 'host=%2Fnowhere')
  writeJournal({ dataFolder }, journal)
  const draft = join(dataFolder, `run/update.json.${process.pid}`)
  mkdirSync(draft)
  expect(await settleUpdate({ dataFolder }, away, SILENT)).toBe(false)
  rmSync(draft, { recursive: true })
  expect(readJournal({ dataFolder })).toEqual(journal)
})

test('a database that cannot be copied lets no server begin, and says why', async () => {
  const away = embedded.url.replace(/host=.*/, 'host=%2Fnowhere')
  writeJournal({ dataFolder }, journal)
  expect(await settleUpdate({ dataFolder }, away, SILENT)).toBe(false)
  expect(readJournal({ dataFolder })).toMatchObject({ phase: 'switching', why: expect.stringMatching(/\S/) })
  await dropCopy(embedded.url)
  expect(await databases()).toBe('vigil')
})
