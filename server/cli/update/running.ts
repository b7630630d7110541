import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { type UpdateJournal, readJournal } from '../../supervisor/update-journal.ts'
import { textOf } from '../../lib/thrown.ts'
import { localAddress } from '../doctor/network.ts'

const PATIENCE_MS = 5_000
const LOOK_EVERY_MS = 500
/** So long a new server must be well before it is believed. */
const STEADY_MS = 15_000
/** A large database is copied meanwhile. */
const COPY_MS = 900_000

const healthShape = z.object({
  status: z.enum(['ok', 'degraded', 'failed']),
  version: z.string(),
  started_at: z.number(),
  database: z.object({ error: z.string().optional() }),
  live: z.object({ error: z.string().optional() }),
  disk: z.object({ error: z.string().optional() }),
})

/** The server that answers here, or why none does. */
export type Health = { readonly startedAt: number; readonly why: string | null } | { readonly why: string }

/** Asks the server of this folder how it is. */
export async function healthOf(config: Config): Promise<Health> {
  try {
    const answer = await fetch(`${localAddress(config)}/hc/?full=1`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { status, started_at: startedAt, database, live, disk } = healthShape.parse(await answer.json())
    const why = [database, live, disk].flatMap(({ error }) => error ?? []).join(' ')
    return { startedAt, why: status === 'failed' ? why : null }
  } catch (error) {
    return { why: `it does not answer at ${localAddress(config)}: ${reasonOf(error)}` }
  }
}

const reasonOf = (error: unknown) =>
  textOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)

/** What is waited for, and until when. */
interface Wanted {
  /** A server that began after this. */
  readonly after: number
  readonly forMs: number
  readonly steadyMs?: number
}

/** Null as soon as a server that began since then has been well for a while; else why it has not. */
export async function whyNotWell(
  config: Config,
  { after, forMs, steadyMs = STEADY_MS }: Wanted,
): Promise<string | null> {
  let wellSince: number | null = null
  let why = 'no server has begun'
  for (let until = performance.now() + forMs; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
    const health = await healthOf(config)
    const isWell = 'startedAt' in health && health.startedAt > after && health.why === null
    if (!isWell) {
      wellSince = null
      if (health.why !== null) why = health.why
      continue
    }
    wellSince ??= performance.now()
    if (performance.now() - wellSince >= steadyMs) return null
    // What is well now is waited for to its end.
    until = Math.max(until, performance.now() + 2 * LOOK_EVERY_MS)
  }
  return why
}

/** Null when the keeper has copied the database, or put it back; else why not. */
export async function whyNotSettled(config: Config, phase: UpdateJournal['phase']): Promise<string | null> {
  for (const until = performance.now() + COPY_MS; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
    const journal = readJournal(config)
    if (journal === null || journal.phase !== phase) return null
    if (journal.why !== undefined) return `its database cannot be copied: ${journal.why}`
  }
  return 'its database was not copied in a quarter of an hour'
}

/** Ends the server that the keeper holds, which neither answers nor goes. */
export function endServer(keeper: number): void {
  for (const pid of childrenOf(keeper))
    if (/\/child\.[jt]s\0/.test(`${read(`/proc/${pid}/cmdline`)}\0`)) process.kill(pid, 'SIGKILL')
}

/** The settings that a server was started with; none where that cannot be read. */
export const settingsOf = (pid: number): NodeJS.ProcessEnv =>
  Object.fromEntries(
    read(`/proc/${pid}/environ`)
      .split('\0')
      .filter((one) => one.includes('='))
      .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  )

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .map(Number)
    .filter((one) => one > 0)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
