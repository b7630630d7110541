import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { plainEnvironment } from '../test/spawned.ts'
import { perform } from './commands.ts'

/** Root may read and write anything, whatever the modes say; without these capabilities it is held to them. */
const LIKE_ANYBODY =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

interface Started {
  readonly dataFolder: string
  readonly env?: NodeJS.ProcessEnv
  /** The modes of files hold, for root too. */
  readonly heedModes?: boolean
}

/** Starts `./vigil ARGS` on a data folder, with nothing of this process's settings. */
export function startVigil(args: string[], { dataFolder, env, heedModes = false }: Started): ChildProcess {
  const command = [
    ...(heedModes ? LIKE_ANYBODY : []),
    process.execPath,
    join(import.meta.dirname, 'main.ts'),
    ...args,
  ]
  return spawn(command[0]!, command.slice(1), { env: plainEnvironment(dataFolder, { PORT: '0', ...env }) })
}

/** What `./vigil ARGS` says before it does anything, without a process for it. */
export async function use(args: string[], dataFolder?: string): Promise<Outcome> {
  const said = { out: '', err: '' }
  if (dataFolder !== undefined) vi.stubEnv('VIGIL_DATA', dataFolder)
  const out = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => Boolean((said.out += String(text))))
  const err = vi.spyOn(console, 'error').mockImplementation((text) => void (said.err += `${String(text)}\n`))
  try {
    return { code: await perform(args), ...said }
  } finally {
    out.mockRestore()
    err.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** What a command said, and its exit code. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Waits for a command that was started. */
export async function outcomeOf(child: ChildProcess, input = ''): Promise<Outcome> {
  child.stdin!.end(input)
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, out, err }
}

/** The same of one that a test builds on: raises what it said unless it succeeds. */
export async function succeeded(child: ChildProcess, input = ''): Promise<Outcome> {
  const outcome = await outcomeOf(child, input)
  if (outcome.code !== 0) throw new Error(`the command failed: ${outcome.out}${outcome.err}`)
  return outcome
}
