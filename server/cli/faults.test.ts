import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { openEmbedded } from '../engines/db/embedded.ts'
import { runningPid } from '../engines/db/cluster.ts'
import { freePort } from '../test/nginx.ts'
import { prepareFolder } from '../test/spawned.ts'
import { outcomeOf, startVigil, succeeded } from './cli.fixture.ts'

const above = mkdtempSync(join(tmpdir(), 'vigil-faults-'))
const good = join(above, 'good')
/** Where the pages of the accounts lie, in the folder of the cluster. */
let pages = ''

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

beforeAll(async () => {
  prepareFolder(good)
  const added = startVigil(['user', 'add', 'ann@example.org', '--password-stdin'], { dataFolder: good })
  await succeeded(added, 'correct horse battery')
  const embedded = await openEmbedded({ dataFolder: good, log: SILENT })
  const client = new pg.Client(embedded.url)
  await client.connect()
  const { rows } = await client.query<{ path: string }>(`select pg_relation_filepath('users') as path`)
  pages = rows[0]!.path
  await client.end()
  await embedded.stop()
})
/** What a test of `folder` leaves. One that was not kept from starting is a failure of its test alone. */
async function cleanUp(folder: string, started: ChildProcess[]): Promise<void> {
  for (const child of started) if (child.exitCode === null && child.kill()) await once(child, 'exit')
  const left = runningPid(join(folder, 'pg'))
  if (existsSync(folder)) chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
  if (left !== null) throw new Error(`PostgreSQL (process ${left}) was left behind`)
}
afterAll(() => rmSync(above, { recursive: true, force: true }))

interface Fault {
  /** Makes it real in the copy of a sound folder; returns settings that it needs. */
  readonly make: (data: string) => Promise<NodeJS.ProcessEnv | void> | NodeJS.ProcessEnv | void
  /** Its line in `doctor`. */
  readonly line: string
  /** What is said of it, with the cure. */
  readonly said: RegExp
  /** Who needs the broken part, if not all three. */
  readonly commands?: readonly string[]
}

const nobodyAt = async () => `127.0.0.1:${await freePort()}`

const FAULTS: Record<string, Fault> = {
  'a secrets.json that is no JSON': {
    make: (data) => writeFileSync(join(data, 'secrets.json'), '{"VIGIL_SECRET": "cut'),
    line: 'secrets',
    said: /secrets\.json, the key of sessions and links, cannot be used: .* Put it back from a copy/,
  },
  'a secrets.json that may not be read': {
    make: (data) => chmodSync(join(data, 'secrets.json'), 0),
    line: 'secrets',
    said: /secrets\.json, the key of sessions and links, cannot be used: EACCES.* Put it back from a copy/,
  },
  'a data folder that may not be written': {
    make: (data) => {
      for (const name of ['run', 'log', 'files', 'files/tsd-pics/.part', 'backups', ''])
        if (existsSync(join(data, name))) chmodSync(join(data, name), 0o500)
    },
    line: 'folder',
    said: /This user may not use .*\(EACCES\)\.\s+Give it to the user Vigil runs as, or set VIGIL_DATA/,
  },
  'a data folder where none can be': {
    make: (data) => {
      rmSync(data, { recursive: true })
      writeFileSync(data, '')
    },
    line: 'folder',
    said: /is not what it should be: .*\s+Move away what is in its place/,
  },
  'files that may not be written': {
    make: (data) => chmodSync(join(data, 'files/tsd-gcodes'), 0o500),
    line: 'files',
    said: /This user may not use .*tsd-gcodes.* \(EACCES\)\.\s+Give it to the user Vigil runs as/,
    commands: ['doctor', 'up'],
  },
  'files on a file system that takes none': {
    make: (data) => {
      rmSync(join(data, 'files'), { recursive: true })
      symlinkSync('/sys/kernel', join(data, 'files'))
    },
    line: 'files',
    said: /This user may not use .*files.*\.\s+Give it to|read-only\.\s+Mount it for writing/,
    commands: ['doctor', 'up'],
  },
  'a page of a table that is damaged': {
    make: async (data) => {
      const file = await open(join(data, 'pg', pages), 'r+')
      await file.write('damaged by a bad disk', 4_000)
      await file.close()
    },
    line: 'database',
    said: /The database is damaged: invalid page .*\s+Stop Vigil, .* restore the newest backup/,
  },
  'Redis that is stopped': {
    make: async () => ({ REDIS_URL: `redis://:hunter2@${await nobodyAt()}` }),
    line: 'live',
    said: /Redis at 127\.0\.0\.1:\d+ is not reachable: .*\. Start it, or correct REDIS_URL/,
    commands: ['doctor', 'up'],
  },
  'S3 that is away': {
    make: async () => ({
      S3_URL: `http://${await nobodyAt()}`,
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'hunter2',
    }),
    line: 'files',
    said: /The S3 server at 127\.0\.0\.1:\d+ cannot be used: .* Start it, or correct S3_URL/,
    commands: ['doctor', 'up'],
  },
  'a database that is away': {
    make: async () => ({
      DATABASE_URL: `postgres://vigil:hunter2@${await nobodyAt()}/vigil`,
      VIGIL_SECRET: 'hunter2'.repeat(5),
    }),
    line: 'database',
    said: /database .*is not reachable: .*\s+(?:Start it, or correct|Check) DATABASE_URL/,
  },
}

// Most of it is waiting for programs that begin, each on a folder of its own.
test.concurrent.for(Object.entries(FAULTS).map(([name, fault], at) => [name, fault, at] as const))(
  '%s: a sentence with the cure, from doctor, up and backup alike',
  { timeout: 600_000 },
  async ([, { make, line, said, commands = ['doctor', 'up', 'backup'] }, at], { expect, onTestFinished }) => {
    const folder = mkdtempSync(join(above, 'data-'))
    const started: ChildProcess[] = []
    onTestFinished(() => cleanUp(folder, started))
    cpSync(good, folder, { recursive: true })
    const env = (await make(folder)) ?? {}
    // The sentence is one for all: in the gate doctor says each, and the others one in five.
    const asked = commands.filter((one) => one === 'doctor' || at % inSuite(5, 1) === 0)
    for (const command of asked) {
      const child = startVigil([command], { dataFolder: folder, env, heedModes: true })
      started.push(child)
      const { code, out, err } = await outcomeOf(child)
      const all = out + err
      expect([command, all]).not.toEqual([command, expect.stringMatching(/^\s+at .*:\d+/m)])
      expect([command, all]).not.toEqual([command, expect.stringContaining('hunter2')])
      expect([command, all]).toEqual([command, expect.stringMatching(said)])
      if (command === 'doctor') expect(out).toMatch(new RegExp(`^FAIL {2}${line} `, 'm'))
      else expect(err.trim().split('\n').at(-1)).toMatch(/^vigil: \S/)
      expect([command, code]).toEqual([command, 1])
    }
  },
)
