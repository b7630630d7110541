import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { CommandFailed } from '../command.ts'
import { call, exchange, exchangeBack, lastOf, type Next, outcomeOf, type Program } from './program.ts'

/** Built or installed, so not in git: it goes with the commit that it belongs to. */
const entriesOf = (folder: string) => [
  'node_modules',
  'web/dist',
  ...readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name !== 'node_modules')
    .map(({ name }) => `${name}/node_modules`)
    .filter((name) => existsSync(join(folder, name))),
]

/** A checkout of the repository: a version is a commit, and is made ready in a work tree of its own. */
export async function openCheckout(root: string): Promise<Program> {
  const git = async (...args: string[]) => await call('git', ['-C', root, ...args])
  const labelOf = async (folder: string, commit: string) => {
    const { version } = fieldsOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    return `${String(version)} (${commit.slice(0, 8)})`
  }
  const commit = await git('rev-parse', 'HEAD')
  const folder = join(root, '.vigil/next')
  return {
    label: await labelOf(root, commit),
    async prepare(named): Promise<Next | null> {
      if ((await git('status', '--porcelain', '--untracked-files=no')) !== '')
        throw new CommandFailed(
          `Files of the program were changed in ${root} (git status): an update would lose that. Commit it or take it back.`,
        )
      const to = await find(git, named)
      if (to === commit) return null
      const isLater = await outcomeOf('git', ['-C', root, 'merge-base', '--is-ancestor', commit, to])
      if (isLater.code !== 0)
        throw new CommandFailed(
          `${to.slice(0, 8)} is older than what stands in ${root}, or lacks commits that are here.`,
        )
      await git('worktree', 'remove', '--force', folder).catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
      await git('worktree', 'prune')
      await git('worktree', 'add', '--detach', folder, to)
      const node = await install(root, folder)
      const entries = [...new Set([...entriesOf(root), ...entriesOf(folder)])]
      const swapped = { root, next: folder, before: join(root, '.vigil/before'), entries, commit, target: to }
      return {
        label: await labelOf(folder, to),
        node,
        main: join(folder, 'server/cli/main.ts'),
        swapped,
      }
    },
    async swap({ swapped }) {
      // The server that runs still reads what was built of it: both stand side by side.
      const [from, to] = [join(folder, 'server/dist'), join(root, 'server/dist')]
      if (existsSync(from)) await cp(from, to, { recursive: true })
      await exchange(swapped)
      await git('reset', '--quiet', '--hard', swapped.target ?? commit)
    },
    async swapBack(swapped) {
      await git('reset', '--quiet', '--hard', swapped.commit ?? commit)
      await exchangeBack(swapped)
    },
  }
}

/** The commit of what is named, or of the branch that this one follows. */
async function find(git: (...args: string[]) => Promise<string>, named: string | undefined): Promise<string> {
  if ((await git('remote')) !== '') await git('fetch', '--quiet', '--tags')
  if (named !== undefined)
    return await git('rev-parse', '--verify', '--quiet', `${named}^{commit}`).catch(() => {
      throw new CommandFailed(`git knows no version ${named} (git tag, git log).`)
    })
  return await git('rev-parse', '--verify', '--quiet', '@{upstream}^{commit}').catch(() => {
    throw new CommandFailed('This checkout follows no branch: name a version, ./vigil update v0.2.0')
  })
}

/** Packages and pages of the new version; those that are the same as here are links to the same files. Returns its Node. */
async function install(root: string, folder: string): Promise<string> {
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  const isSame = lock(root) === lock(folder)
  for (const entry of entriesOf(root))
    if (existsSync(join(root, entry)) && (isSame || !entry.endsWith('node_modules'))) {
      await mkdir(dirname(join(folder, entry)), { recursive: true })
      await outcomeOf('cp', ['-al', join(root, entry), join(folder, entry)])
    }
  const { code, out, err } = await outcomeOf(process.execPath, [join(folder, 'scripts/bootstrap.mjs'), 'up'])
  if (code === 0) return out.trim()
  throw new CommandFailed(`The new version cannot be installed: ${lastOf(err)}`)
}
