import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { openEmbedded } from '../engines/db/embedded.ts'
import { runningPid } from '../engines/db/cluster.ts'
import { prepareFolder } from '../test/spawned.ts'
import { readConfig } from '../config.ts'
import { done, outcomeOf, startVigil } from './cli.fixture.ts'
import { examine } from './doctor.ts'
import { FAULTS } from './doctor/faults.fixture.ts'
import type { Proxies } from './doctor/faults.places.fixture.ts'

const above = mkdtempSync(join(tmpdir(), 'vigil-faults-'))
const good = join(above, 'good')
/** Where the pages of the accounts lie, in the folder of the cluster. */
let pages = ''

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

beforeAll(async () => {
  prepareFolder(good)
  await done(['user', 'add', 'ann@example.org', '--password-stdin'], good, { input: 'correct horse battery' })
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

/** Says a statement to the database of a folder in which nothing runs. */
async function tell(dataFolder: string, statement: string): Promise<void> {
  const embedded = await openEmbedded({ dataFolder, log: SILENT })
  const client = new pg.Client(embedded.url)
  await client.connect()
  await client.query(statement)
  await client.end()
  await embedded.stop()
}

const none: Proxies = { good: '', stripping: '', handing: '', strange: '', naming: '' }
const keeping = Object.entries(FAULTS).filter(([, { commands }]) => commands !== undefined)

const isWhole = (at: number) => at % inSuite(6, 1) === 0

// Most of it is waiting for programs that begin, each on a folder of its own.
test.concurrent.for(keeping.map(([name, fault], at) => [name, fault, at] as const))(
  '%s: a sentence with the cure, from doctor, up and backup alike',
  { timeout: 600_000 },
  async ([, fault, at], { expect, onTestFinished }) => {
    const { make, line, found, advice, modes = false, commands = [] } = fault
    const folder = mkdtempSync(join(above, 'data-'))
    const started: ChildProcess[] = []
    onTestFinished(() => cleanUp(folder, started))
    cpSync(good, folder, { recursive: true })
    const say = async (statement: string) => await tell(folder, statement)
    const env = (await make({ data: folder, pages, proxies: none, tell: say })) ?? {}
    // The sentence is one for all: in the gate doctor says each, and the commands one in six.
    if (!isWhole(at) && !modes) {
      const config = readConfig({ NODE_ENV: 'production', VIGIL_DATA: folder, HOST: '127.0.0.1', ...env })
      for await (const finding of examine(config, [line])) {
        expect(finding).toMatchObject({ name: line, state: 'fail' })
        const all = [finding.found, finding.advice].join(' ')
        for (const said of [found, advice]) expect(all).toMatch(said)
        expect(all).not.toContain('hunter2')
      }
      return
    }
    for (const command of isWhole(at) ? commands : ['doctor']) {
      const child = startVigil([command], { dataFolder: folder, env, heedModes: true })
      started.push(child)
      const { code, out, err } = await outcomeOf(child)
      const all = out + err
      expect([command, all]).not.toEqual([command, expect.stringMatching(/^\s+at .*:\d+/m)])
      expect([command, all]).not.toEqual([command, expect.stringContaining('hunter2')])
      for (const said of [found, advice])
        expect([command, all]).toEqual([command, expect.stringMatching(said)])
      if (command === 'doctor') expect(out).toMatch(new RegExp(`^FAIL {2}${line} `, 'm'))
      else expect(err.trim().split('\n').at(-1)).toMatch(/^vigil: \S/)
      expect([command, code]).toEqual([command, 1])
    }
  },
)
