/** Which files the package of a release holds, and what becomes of each. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
/** What runs, and what it or a person reads. */
const KEPT = ['server', 'contract', 'simulator', 'locales', 'deploy', 'docs']
const ALONE = ['README.md', 'CHANGELOG.md', 'SECURITY.md']
/** What only tests and those who change Vigil need. */
const LEFT =
  /\.(test|fixture|support)\.ts$|\.setup\.ts$|\/(test|captures|fixtures)\/|\/tsconfig\.json$|engines\/files\/(moto|swift)|\.py$/
/** Packages of ours lie where Node looks for them. */
const PLACES: readonly (readonly [string, string])[] = [
  ['contract/', 'node_modules/@vigil/contract/'],
  ['simulator/', 'node_modules/@vigil/simulator/'],
]

/** A file of the repository, and its place in the package. */
export interface Packed {
  readonly from: string
  readonly to: string
}

/** What git keeps of all that is packed; the built pages come beside it. */
export function packedFiles(): Packed[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', ...KEPT, ...ALONE], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16 * 1_048_576,
  })
  return stdout
    .split('\0')
    .filter((from) => from !== '' && !LEFT.test(from))
    .map((from) => ({ from, to: placeOf(from) }))
}

function placeOf(from: string): string {
  const [start = '', place = ''] = PLACES.find(([folder]) => from.startsWith(folder)) ?? []
  return (place + from.slice(start.length)).replace(/(?<!\.d)\.ts$/, '.js')
}

/**
 * The code of a file: Node strips no types below `node_modules`, so they are taken out here. Lines and columns stay what
 * they were, as what is named `.ts` is named `.js` then.
 */
export function codeOf(from: string): string {
  const text = readFileSync(join(root, from), 'utf8')
  if (!from.endsWith('.ts')) return text
  return stripTypeScriptTypes(text).replaceAll(/\.ts(?=['"`])/g, '.js')
}
