import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
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

interface Used {
  readonly env?: NodeJS.ProcessEnv
  /** What is typed, or piped into it. */
  readonly input?: string
}

/**
 * What `./vigil ARGS` does and says, in this process: all but the process itself, whose start costs as much as what it does. What
 * it logs beside its sentences goes to the terminal. One at a time.
 */
export async function use(
  args: string[],
  dataFolder?: string,
  { env = {}, input = '' }: Used = {},
): Promise<Outcome> {
  const said = { out: '', err: '' }
  const settings = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', NODE_ENV: undefined, PORT: '0', ...env }
  if (dataFolder !== undefined)
    for (const [name, value] of Object.entries({ ...settings, VIGIL_DATA: dataFolder }))
      vi.stubEnv(name, value)
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(asStdin(input))
  const out = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => Boolean((said.out += String(text))))
  const err = vi.spyOn(console, 'error').mockImplementation((text) => void (said.err += `${String(text)}\n`))
  try {
    return { code: await perform(args), ...said }
  } finally {
    for (const spy of [stdin, out, err]) spy.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** As `process.stdin` of a pipe. */
const asStdin = (input: string) => Object.assign(Readable.from([input]), { fd: 0 as const }) as never

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

/** What a test builds on: raises what was said unless the command succeeds. */
export async function done(args: string[], dataFolder: string, more: Used = {}): Promise<Outcome> {
  const outcome = await use(args, dataFolder, more)
  if (outcome.code !== 0) throw new Error(`the command failed: ${outcome.out}${outcome.err}`)
  return outcome
}
