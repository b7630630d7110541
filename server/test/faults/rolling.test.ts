import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../wire/agent.ts'
import {
  allWorks,
  areWatched,
  type Busy,
  expectCommands,
  expectCoverage,
  expectRows,
  makeBusy,
  videoPlays,
} from './company.books.ts'
import { openCompany } from './company.ts'
import { aFolder, missing, removeFolder } from './support.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The version that companies have; the next ones are rolled out over it. */
const OLD = 'v0.1.0'

const folder = aFolder()
const main = unpack()
const company = main === null ? null : await openCompany({ isEmpty: true, main })
let busy: Busy | null = null

afterAll(async () => {
  await busy?.load.end()
  await company?.close()
  removeFolder(folder)
})

/** The old version beside this one, with the packages of this one; null where the repository does not have it. */
function unpack(): string | null {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `refs/tags/${OLD}`], { cwd: ROOT })
  } catch {
    missing(`an update from ${OLD}: git has no such tag (git fetch --tags)`, true)
    return null
  }
  const archive = execFileSync(
    'git',
    ['archive', OLD, 'server', 'contract', 'simulator', 'locales', 'package.json'],
    {
      cwd: ROOT,
      maxBuffer: 512 * 1024 * 1024,
    },
  )
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  link(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const own of ['server', 'contract', 'simulator'])
    if (existsSync(join(ROOT, own, 'node_modules')))
      symlinkSync(join(ROOT, own, 'node_modules'), join(folder, own, 'node_modules'))
  return join(folder, 'server/cli/main.ts')
}

/** Packages of others are shared; ours are those of its own version. */
function link(from: string, to: string): void {
  mkdirSync(join(to, '@vigil'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@vigil') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@vigil')))
    if (existsSync(join(folder, name))) symlinkSync(join(folder, name), join(to, '@vigil', name))
}

describe.runIf(company)(`from ${OLD} to what stands here, node by node`, () => {
  it('old and new run side by side on a database that the new one has migrated: all goes on, nothing is lost', async () => {
    if (company === null) return expect.fail('there is none')
    busy = await makeBusy(company, { watched: 2, commanded: 2 })
    const { load, went } = busy
    await allWorks(busy)
    await videoPlays(busy)
    await eventually(() => (areWatched(load) ? true : undefined), 90_000)
    for (const name of ['worker 1', 'web 1', 'worker 2', 'web 2']) {
      const node = company.nodes.find((one) => one.name === name)
      if (node === undefined) throw new Error('no such node')
      went.push({ name, at: Date.now() })
      await company.stop(node)
      await company.restart(node, join(ROOT, 'server/cli/main.ts'))
      await allWorks(busy)
      await videoPlays(busy)
    }
    await load.stopWriting()
    await expectCoverage(busy)
    expectCommands(busy)
    await expectRows(busy)
  }, 600_000)
})
