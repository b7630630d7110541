import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'
import { runningPid } from './cluster.ts'
import { type Embedded, type EmbeddedOptions, openEmbedded } from './embedded.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const isRoot = process.getuid?.() === 0
let above: string
let dataFolder: string
const opened: Embedded[] = []
const children: ChildProcess[] = []

/** A database made once; most tests begin with a copy of it, which is faster than initdb. */
const template = mkdtempSync(join(tmpdir(), 'vigil-pg-template-'))
beforeAll(async () => {
  const first = await openEmbedded({ dataFolder: template, log })
  await first.stop()
})
afterAll(() => rmSync(template, { recursive: true, force: true }))
const useTemplate = () => cpSync(template, dataFolder, { recursive: true })

/** A data folder below one that only its owner may enter, as in root's home. */
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'vigil-pg-'))
  chmodSync(above, 0o700)
  dataFolder = join(above, 'data')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const database of opened.splice(0)) await database.stop()
  // A user that was just killed may still count as one, so the database was left running for it.
  const left = postmaster()
  if (left !== null) process.kill(left, 'SIGQUIT')
  rmSync(above, { recursive: true, force: true })
})

async function open(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const database = await openEmbedded({ dataFolder, log, ...options })
  opened.push(database)
  return database
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values(((await client.query(statement)).rows[0] ?? {}) as object)[0]
  } finally {
    await client.end()
  }
}

const postmaster = () => runningPid(join(dataFolder, 'pg'))

/** Another process that uses the same database, as a command or a server does. */
async function otherUser(end: 'stop' | 'never'): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embedded.fixture.ts'), dataFolder, end])
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

test('starts below a folder of mode 0700, as root too, with checksums and fsync', async () => {
  const { url } = await open()
  expect(await ask(url, 'show data_checksums')).toBe('on')
  expect(await ask(url, 'show fsync')).toBe('on')
  expect(await ask(url, 'show listen_addresses')).toBe('')
  expect(await ask(url, "select datcollate from pg_database where datname = 'vigil'")).toBe('C')
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
  expect(existsSync(join(dataFolder, 'log/postgres.log'))).toBe(true)
})

test('stops clean, and starts again on the same data', async () => {
  useTemplate()
  const first = await open()
  await ask(first.url, "comment on database vigil is 'kept'")
  expect(await first.stop()).toBe(true)
  expect(postmaster()).toBe(null)
  const { url } = await open()
  expect(
    await ask(url, "select shobj_description(oid, 'pg_database') from pg_database where datname = 'vigil'"),
  ).toBe('kept')
  expect(readFileSync(join(dataFolder, 'log/postgres.log'), 'utf8')).not.toMatch(/not properly shut down/)
})

test.runIf(isRoot)('runs as nobody by setpriv where the folder belongs to nobody', async () => {
  mkdirSync(join(dataFolder, 'pg'), { recursive: true, mode: 0o700 })
  chownSync(join(dataFolder, 'pg'), 65534, 65534)
  const { url } = await open()
  expect(await ask(url, 'select 1')).toBe(1)
  expect(statSync(`/proc/${postmaster()}`).uid).toBe(65534)
})

test('a path too long for a socket gets a private folder elsewhere', async () => {
  dataFolder = join(above, 'a'.repeat(100), 'data')
  const { url } = await open()
  expect(await ask(url, 'select 1')).toBe(1)
  const folder = new URL(url).searchParams.get('host')!
  expect(folder.length).toBeLessThan(90)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  await opened.pop()!.stop()
  rmSync(folder, { recursive: true })
})

test('another major is refused with a sentence, and nothing is touched', async () => {
  mkdirSync(join(dataFolder, 'pg'), { recursive: true })
  writeFileSync(join(dataFolder, 'pg/PG_VERSION'), '17\n')
  await expect(open()).rejects.toThrow(/written by PostgreSQL 17.*brings PostgreSQL 18/)
  expect(existsSync(join(dataFolder, 'pg/postmaster.pid'))).toBe(false)
})

test('a folder that is something else is refused', async () => {
  mkdirSync(join(dataFolder, 'pg'), { recursive: true })
  writeFileSync(join(dataFolder, 'pg/holiday.txt'), '')
  await expect(open()).rejects.toThrow(/no PostgreSQL data folder/)
})

test('where the package cannot be written, its links go into the data folder', async () => {
  const real = await findBinaries(dataFolder)
  const copy = join(above, 'package')
  mkdirSync(join(copy, 'native'), { recursive: true })
  for (const name of ['package.json', 'native/pg-symlinks.json']) {
    writeFileSync(join(copy, name), readFileSync(join(real.folder, '..', name)))
  }
  symlinkSync('/sys/kernel', join(copy, 'native/lib'))
  const found = await findBinaries(dataFolder, () => join(copy, 'dist/index.js'))
  expect(found.env.LD_LIBRARY_PATH).toBe(`${join(dataFolder, 'run/lib')}:${join(copy, 'native/lib')}`)
  expect(existsSync(join(dataFolder, 'run/lib'))).toBe(true)
})

describe('several users', () => {
  test('an orphan is adopted after kill -9 of the process that started it', async () => {
    useTemplate()
    const other = await otherUser('never')
    const pid = postmaster()
    other.kill('SIGKILL')
    await once(other, 'exit')
    const { url } = await open()
    expect(await ask(url, 'select 1')).toBe(1)
    expect(postmaster()).toBe(pid)
  })

  test('a second user never stops a database in use; the last one does', async () => {
    useTemplate()
    const { url } = await open()
    const pid = postmaster()
    const other = await otherUser('stop')
    await once(other, 'exit')
    expect(await ask(url, 'select 1')).toBe(1)
    expect(postmaster()).toBe(pid)
    expect(await opened.pop()!.stop()).toBe(true)
    expect(postmaster()).toBe(null)
  })

  test('starting at the same time on an empty folder ends in one database for all', async () => {
    const all = await Promise.all([open(), otherUser('never'), otherUser('never')])
    expect(await ask(all[0].url, 'select 1')).toBe(1)
  })
})

describe('crashes', () => {
  test('a lock file with the pid of an innocent process does not hinder the start', async () => {
    useTemplate()
    await open()
    const pid = postmaster()!
    opened.splice(0)
    process.kill(pid, 'SIGKILL')
    await otherGone(pid)
    const lock = join(dataFolder, 'pg/postmaster.pid')
    const lines = readFileSync(lock, 'utf8').split('\n')
    writeFileSync(lock, [String(process.pid), ...lines.slice(1)].join('\n'))
    const { url } = await open()
    expect(await ask(url, 'select 1')).toBe(1)
  })

  test('kill -9 of PostgreSQL while writing loses no acknowledged row, and it comes back', async () => {
    useTemplate()
    let ups = 0
    const { url } = await open({ onUp: () => ups++ })
    await ask(url, 'create table acked (n integer primary key)')
    const pool = new pg.Pool({ connectionString: url, max: 4 })
    pool.on('error', () => {})
    const acked: number[] = []
    let next = 0
    let writing = true
    const writer = async (): Promise<void> => {
      while (writing) {
        const n = next++
        await pool.query('insert into acked values ($1)', [n]).then(
          () => acked.push(n),
          () => sleep(20),
        )
      }
    }
    const writers = Promise.all([writer(), writer(), writer(), writer()])
    for (let round = 1; round <= 3; round++) {
      const before = acked.length
      await expect.poll(() => acked.length).toBeGreaterThan(before + 20)
      process.kill(postmaster()!, 'SIGKILL')
      await expect.poll(() => ups).toBe(round)
    }
    writing = false
    await writers
    const kept = new Set((await pool.query('select n from acked')).rows.map(({ n }: { n: number }) => n))
    await pool.end()
    expect(acked.length).toBeGreaterThan(50)
    expect(acked.filter((n) => !kept.has(n))).toEqual([])
  })
})

/** Waits until no process of a killed PostgreSQL is left. */
async function otherGone(pid: number): Promise<void> {
  await expect
    .poll(() => execFileSync('ps', ['-eo', 'pid=']).toString().split(/\s+/).includes(String(pid)))
    .toBe(false)
}
