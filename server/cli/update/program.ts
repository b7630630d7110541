import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { textOf } from '../../lib/thrown.ts'
import type { UpdateJournal } from '../../supervisor/update-journal.ts'
import { CommandFailed } from '../command.ts'

/** What an update exchanges, and where the other half of it lies meanwhile. */
export type Swapped = UpdateJournal['program']

/** A new version, ready beside the one that runs. */
export interface Next {
  readonly label: string
  readonly node: string
  readonly main: string
  readonly swapped: Swapped
}

/** The program that runs: a checkout of the repository, or the package of a release. */
export interface Program {
  readonly label: string
  /** Makes the named version ready beside this one; null when it is this one. */
  prepare(named: string | undefined): Promise<Next | null>
  /** Puts it in the place of this one. */
  swap(next: Next): Promise<void>
  /** And this one back, wherever the other stopped. */
  swapBack(swapped: Swapped): Promise<void>
}

/** What a program said, and how it ended. */
interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program that may fail. */
export async function outcomeOf(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Said> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code: child.exitCode, out, err }
  } catch (error) {
    throw new CommandFailed(`${command} cannot be started: ${textOf(error)}`)
  }
}

/** Runs one that must not, and returns what it printed; raises `CommandFailed` with its last words. */
export async function call(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const { code, out, err } = await outcomeOf(command, args, cwd === undefined ? {} : { cwd })
  if (code === 0) return out.trim()
  throw new CommandFailed(`${command} failed: ${lastOf(err)}`)
}

/** The last words of a program. */
export const lastOf = (said: string): string => said.trim().split('\n').slice(-3).join(' ').slice(-600)

/** Moves what is exchanged: the old away, the new in. Each is one rename on one disk. */
export async function exchange({ root, next, before, entries }: Swapped): Promise<void> {
  await rm(before, { recursive: true, force: true })
  for (const entry of entries) {
    await move(join(root, entry), join(before, entry))
    await move(join(next, entry), join(root, entry))
  }
}

/** And back, from wherever that stopped: what was moved away is what was there. */
export async function exchangeBack({ root, next, before, entries }: Swapped): Promise<void> {
  for (const entry of entries) {
    if (!existsSync(join(before, entry))) continue
    await move(join(root, entry), join(next, entry))
    await move(join(before, entry), join(root, entry))
  }
}

/** What is not there is not moved. */
async function move(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  await rm(to, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
}
