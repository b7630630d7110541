import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../../..')
const KEPT = [
  'server',
  'contract',
  'simulator',
  'locales',
  'scripts/bootstrap.mjs',
  'scripts/build-server.mjs',
  'vigil',
  'package.json',
]
const PERSON = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgsign=false']

/** A checkout of what stands here, with the packages of this one and built pages: a version to be updated from. */
export interface Checkout {
  readonly folder: string
  git(...args: string[]): string
  /** A commit on a branch of its own, beside what is checked out. */
  version(branch: string, files: Readonly<Record<string, (text: string) => string>>): void
  main: string
}

export async function aCheckout(folder: string): Promise<Checkout> {
  const listed = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    ...KEPT,
    'package-lock.json',
  ]
  const names = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 * 1_048_576 })
  for (const name of names.split('\0'))
    if (name !== '' && !name.includes('.test.') && existsSync(join(ROOT, name)))
      cpSync(join(ROOT, name), join(folder, name))
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n/web/dist/\n/server/dist/\n/.vigil/\n')
  const git = (...args: string[]) =>
    execFileSync('git', [...PERSON, ...args], { cwd: folder, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message=the version of before')
  linkPackages(folder)
  await stamp(folder)
  return {
    folder,
    git,
    main: join(folder, 'server/cli/main.ts'),
    version(branch, files) {
      const tree = join(dirname(folder), `tree-${branch}`)
      git('worktree', 'add', '--quiet', '-b', branch, tree)
      for (const [name, change] of Object.entries(files)) {
        const file = join(tree, name)
        writeFileSync(file, change(existsSync(file) ? readFileSync(file, 'utf8') : ''))
      }
      git('-C', tree, 'add', '--all')
      git('-C', tree, 'commit', '--quiet', `--message=${branch}`)
      git('worktree', 'remove', tree)
    },
  }
}

/** Packages of others are those of here; our own are the checkout's. */
function linkPackages(folder: string): void {
  for (const at of ['', 'server/', 'contract/', 'simulator/']) {
    const from = join(ROOT, at, 'node_modules')
    const to = join(folder, at, 'node_modules')
    if (!existsSync(from)) continue
    mkdirSync(to)
    for (const name of readdirSync(from))
      if (name !== '@vigil' && name !== '.cache') symlinkSync(join(from, name), join(to, name))
  }
  mkdirSync(join(folder, 'node_modules/@vigil'))
  for (const own of ['contract', 'server', 'simulator'])
    symlinkSync(join('../..', own), join(folder, 'node_modules/@vigil', own))
}

/** As the first start would have left it: nothing is to be installed or built. */
async function stamp(folder: string): Promise<void> {
  const { buildServer, hashOf } = (await import(
    pathToFileURL(join(folder, 'scripts/bootstrap.mjs')).href
  )) as {
    buildServer: () => void
    hashOf: (paths: string[]) => string
  }
  buildServer()
  const file = join(folder, 'node_modules/.vigil-stamp')
  // A link to the stamp of here would be written over.
  execFileSync('rm', ['-f', file])
  writeFileSync(file, `${hashOf(['package-lock.json'])} ${process.platform}-${process.arch}`)
  mkdirSync(join(folder, 'web/dist'), { recursive: true })
  const sources = ['web', 'contract', 'locales', 'package-lock.json']
  writeFileSync(join(folder, 'web/dist/.vigil-stamp'), hashOf(sources))
  writeFileSync(join(folder, 'web/dist/index.html'), '<!doctype html><title>Vigil</title>')
}
