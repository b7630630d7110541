import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { CommandFailed } from '../command.ts'
import { call, exchange, exchangeBack, type Next, type Program } from './program.ts'

/** What npm keeps of a folder. */
const ENTRIES = ['node_modules', 'package.json', 'package-lock.json']

/** The package of a release in a folder of its own, where `npm install` has put it: a version is such a package's file. */
export function openRelease(root: string): Program {
  const folder = dirname(dirname(root))
  const next = join(folder, '.vigil/next')
  return {
    label: versionOf(root),
    async prepare(named): Promise<Next | null> {
      requireOwnFolder(folder)
      if (named === undefined)
        throw new CommandFailed('Name the package of the new version: npx vigil update ./vigil-0.2.0.tgz')
      const file = resolve(named)
      await compareSum(file)
      await rm(next, { recursive: true, force: true })
      await mkdir(next, { recursive: true })
      const words = ['install', '--prefix', next, '--no-audit', '--no-fund', '--loglevel=error', file]
      await call('npm', words, next)
      const program = join(next, 'node_modules/vigil')
      if (versionOf(program) === versionOf(root)) return null
      const swapped = { root: folder, next, before: join(folder, '.vigil/before'), entries: ENTRIES }
      return {
        label: versionOf(program),
        node: await call(process.execPath, [join(program, 'bin/node.mjs')]),
        main: join(program, 'server/cli/main.js'),
        swapped,
      }
    },
    swap: ({ swapped }) => exchange(swapped),
    swapBack: (swapped) => exchangeBack(swapped),
  }
}

function versionOf(program: string): string {
  return String(fieldsOf(JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')))['version'])
}

/** All that npm keeps in the folder is exchanged, so nothing but Vigil may be in it. */
function requireOwnFolder(folder: string): void {
  const file = join(folder, 'package.json')
  const found = existsSync(file) ? fieldsOf(JSON.parse(readFileSync(file, 'utf8'))) : {}
  const names = Object.keys(fieldsOf(found['dependencies']))
  if (names.length === 1 && names[0] === 'vigil') return
  throw new CommandFailed(
    `${folder} is no folder of Vigil's own, so it cannot be exchanged. Install it into one: ` +
      'mkdir vigil && cd vigil && npm install ./vigil-0.2.0.tgz (docs/self-hosting.md, Upgrade).',
  )
}

/** Where the checksums of the release lie beside it, the file must be the one that they name. */
async function compareSum(file: string): Promise<void> {
  const bytes = await readFile(file).catch(() => {
    throw new CommandFailed(`There is no file ${file}.`)
  })
  const sums = await readFile(join(dirname(file), 'SHA256SUMS'), 'utf8').catch(() => '')
  const line = sums.split('\n').find((one) => one.endsWith(`  ${basename(file)}`))
  if (line === undefined) return
  if (createHash('sha256').update(bytes).digest('hex') !== line.split(' ', 1)[0])
    throw new CommandFailed(
      `${file} is not the file that SHA256SUMS beside it names: fetch it again. Nothing was changed.`,
    )
}
