import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { CommandFailed } from '../command.ts'
import { lastOf, type Next, outcomeOf } from './program.ts'

/** What must be in order for a server to begin at all; mail or ffmpeg may be away as they are now. */
const NEEDED = new Set(['folder', 'secrets', 'files', 'database', 'model'])
const examined = z.object({
  checks: z.array(z.object({ name: z.string(), state: z.string(), found: z.string() })),
})

/** What the new version would have to work with. */
interface Installed {
  readonly config: Config
  readonly env: NodeJS.ProcessEnv
}

/**
 * The new version tries what it would have to do, on a copy: it restores the backup into a scratch folder, with all its migrations on the real rows, and
 * looks at this installation with its own eyes. Raises `CommandFailed`; nothing was changed then.
 */
export async function tryOut(next: Next, backup: string, { config, env }: Installed): Promise<void> {
  const scratch = join(config.dataFolder, 'update-trial')
  const call = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    outcomeOf(next.node, [next.main, ...args], { env: { ...env, ...more } })
  await rm(scratch, { recursive: true, force: true })
  try {
    const restored = await call(['restore', backup, '--json'], { VIGIL_DATA: scratch })
    if (restored.code !== 0) refuse(next, lastOf(restored.err))
    const { out, err } = await call(['doctor', '--json'])
    const said = examined.safeParse(jsonOf(out))
    if (!said.success) refuse(next, lastOf(err || out))
    const bad = (said.data?.checks ?? []).find(({ name, state }) => NEEDED.has(name) && state === 'fail')
    if (bad !== undefined) refuse(next, bad.found)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function refuse(next: Next, why: string): never {
  const words = why.replace(/^vigil: /, '')
  throw new CommandFailed(
    `Version ${next.label} was tried on a copy and cannot take over what is here: ${words} Nothing was changed.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
