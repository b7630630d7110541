import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { builtFolder } from './built.mjs'
import type { Config } from './config.ts'
import { openEmbedded } from './engines/db/embedded.ts'
import { type Door, openDoor } from './supervisor/listening-socket.ts'
import type { ToChild, ToKeeper } from './supervisor/messages.ts'
import { takePidFile } from './supervisor/pid-file.ts'
import { settleUpdate } from './supervisor/update-journal.ts'
import { TELLS_ITS_STACK, watchChild } from './supervisor/watchdog.ts'

/** A child that lived this long was well: the next pause after a crash is short again. */
const WELL_MS = 60_000
const LONGEST_PAUSE_MS = 10_000
/** Beyond the grace that the child itself keeps. */
const EXTRA_GRACE_MS = 5_000
/** A program that has not loaded by then is waited for no longer, before the one that serves goes. */
const LOADS_MS = 60_000

export interface KeeperOptions {
  readonly config: Config
  readonly log: Logger
  /** Environment of the child. */
  readonly env: NodeJS.ProcessEnv
  /** An open file that takes what the child prints, instead of our own output. */
  readonly output?: number
  /** The program of the child (tests bring their own). */
  readonly script?: string
  /** A child that says nothing for so long hangs (tests have less patience). */
  readonly silentMs?: number
  /** The child answers; called after every start and restart. */
  readonly onReady: (at: { port: number; setupLink: string | null }) => void
}

export const pidFileOf = (config: Pick<Config, 'dataFolder'>): string =>
  join(config.dataFolder, 'run', 'keeper.pid')

/** The server could not start at all; `message` says why. */
export class CannotServe extends Error {
  override readonly name = 'CannotServe'
}

/**
 * The small parent of `vigil up`: it holds the port and the embedded database, so that the child that serves can
 * crash or be restarted without a refused connection. Resolves when it was told to stop and everything has.
 */
export async function keep(options: KeeperOptions): Promise<void> {
  const { config, log } = options
  const signals = hearSignals()
  const giveBack = takePidFile(pidFileOf(config))
  let door: Door | null = null
  let beside: Beside = { doors: [], taken: [] }
  let database: { url: string; stop(): Promise<boolean> } | null = null
  try {
    door = await openDoor(config.PORT, config.HOST).catch((error: NodeJS.ErrnoException) => {
      throw cannotListen(error, config)
    })
    beside = await openBeside(options)
    const wanted = { ...options, env: { ...options.env, TUNNEL_PORTS_TAKEN: beside.taken.join() } }
    const doors = [door, ...beside.doors] as const
    // The child loads its program while the database starts.
    const first = launch(wanted)
    for (const one of doors) one.holdWith(first.process)
    database = await openDatabase(config, log).catch((error: unknown) => {
      first.process.kill('SIGKILL')
      throw error
    })
    await serve(wanted, { doors, databaseUrl: database.url, first, signals })
  } finally {
    for (const one of [door, ...beside.doors]) one?.close()
    await database?.stop()
    giveBack()
    signals.close()
  }
}

async function openDatabase(config: Config, log: Logger) {
  if (config.DATABASE_URL !== undefined)
    return { url: config.DATABASE_URL, stop: () => Promise.resolve(false) }
  return openEmbedded({ dataFolder: config.dataFolder, log })
}

interface Beside {
  readonly doors: readonly Door[]
  /** Ports that other programs have. */
  readonly taken: readonly number[]
}

/** The ports of tunnels. Of those that nobody has named, the ones that are taken are left out. */
async function openBeside({ config, log }: Pick<KeeperOptions, 'config' | 'log'>): Promise<Beside> {
  const { first, last } = config.OCTOPRINT_TUNNEL_PORT_RANGE ?? { first: 1, last: 0 }
  const doors: Door[] = []
  const taken: number[] = []
  for (let port = first; port <= last; port++) {
    const opened = await openDoor(port, config.HOST, true).catch((error: NodeJS.ErrnoException) => error)
    if (!(opened instanceof Error)) doors.push(opened)
    else if (config.hasUsualTunnelPorts) taken.push(port)
    else {
      for (const door of doors) door.close()
      throw cannotListen(opened, { ...config, PORT: port }, 'OCTOPRINT_TUNNEL_PORT_RANGE')
    }
  }
  if (taken.length > 0) log.warn({ taken }, 'other programs have these ports: no tunnel gets one of them')
  return { doors, taken }
}

function cannotListen(
  error: NodeJS.ErrnoException,
  { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>,
  setting = 'PORT',
): Error {
  if (error.code === 'EADDRINUSE')
    return new CannotServe(`Port ${PORT} on ${HOST} is taken. Set ${setting} to another one.`)
  if (error.code === 'EACCES') return new CannotServe(`Port ${PORT} needs more rights than this user has.`)
  return new CannotServe(`Cannot listen on ${HOST}:${PORT}: ${error.message}`)
}

interface Signals {
  readonly stop: AbortSignal
  readonly restart: AbortSignal
  forgetRestart(): void
  close(): void
}

/**
 * SIGTERM and SIGINT stop, a second time at once. SIGUSR2 restarts; so does SIGHUP, except from a terminal, where
 * it means that the terminal was closed.
 */
function hearSignals(): Signals {
  const stopping = new AbortController()
  let restarting = new AbortController()
  const stop = (): void => (stopping.signal.aborted ? process.exit(1) : stopping.abort())
  const restart = (): void => restarting.abort()
  const handlers = Object.entries({
    SIGTERM: stop,
    SIGINT: stop,
    SIGUSR2: restart,
    SIGHUP: process.stdout.isTTY ? stop : restart,
  })
  for (const [signal, handler] of handlers) process.on(signal, handler)
  return {
    stop: stopping.signal,
    get restart() {
      return restarting.signal
    },
    forgetRestart() {
      restarting = new AbortController()
    },
    close() {
      for (const [signal, handler] of handlers) process.off(signal, handler)
    },
  }
}

interface Serving {
  /** The main one, and those of tunnels. */
  readonly doors: readonly [Door, ...Door[]]
  readonly databaseUrl: string
  readonly first: Child
  readonly signals: Signals
}

/** One child after the other, until told to stop. */
async function serve(options: KeeperOptions, { doors, databaseUrl, first, signals }: Serving): Promise<void> {
  const { log } = options
  const signal = signals.stop
  let pause = 100
  for (let child = first, isFirst = true; ; isFirst = false) {
    const began = performance.now()
    if (!(await settleUpdate(options.config, databaseUrl, log))) child.process.kill('SIGKILL')
    watchChild(child.process, log, options.silentMs)
    const outcome = await Promise.race([start(child, databaseUrl), aborted(signal)])
    if (outcome?.say === 'ready') {
      for (const door of doors) door.openTo(child.process)
      options.onReady({ port: doors[0].address.port, setupLink: outcome.setupLink })
      await Promise.race([child.ended, aborted(signal), aborted(signals.restart)])
    } else if (isFirst && outcome?.say === 'failed') {
      await stopChild(child, options.config)
      throw new CannotServe(outcome.message)
    }
    const isWanted = signals.restart.aborted && child.process.exitCode === null
    signals.forgetRestart()
    // The next one loads while this one serves, so that nobody waits for that, but begins only when this one is gone.
    const next = isWanted && !signal.aborted ? launch(options) : null
    if (next) await Promise.race([within(next.loaded, LOADS_MS), next.ended, child.ended, aborted(signal)])
    // Nobody is let in any more before the agents are told to come again: who came now would wait for nobody.
    if (signal.aborted) for (const door of doors) door.close()
    await stopChild(child, options.config, next !== null && !signal.aborted)
    if (signal.aborted) return void next?.process.kill('SIGKILL')
    if (next === null) {
      pause = performance.now() - began > WELL_MS ? 100 : Math.min(pause * 2, LONGEST_PAUSE_MS)
      log.error({ pause, outcome }, 'the server has gone; starting it again')
      await sleep(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    }
    child = next ?? launch(options)
  }
}

interface Child {
  readonly process: ChildProcess
  readonly loaded: Promise<unknown>
  readonly ended: Promise<unknown>
}

/**
 * glibc gives each thread a heap of its own, which keeps what is freed: with two, 30 MB less at work, as fast. What is
 * large goes back to the system as soon as it is freed, the pieces of 64 KiB too in which sockets are read: of 800 MB
 * of unfinished messages all but 20 came back, with a higher threshold none.
 */
const LEAN_MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
/**
 * Of the two halves for young objects (MB) V8 would take 64 each with 2,000 agents, and give none back; and it would let
 * old ones grow to twice and three times what lives before it looks what is garbage (docs/memory.md).
 */
const LEAN_HEAP = ['--max-semi-space-size=16', '--heap-growing-percent=50']

/** What was built of the sources as they are now, else these themselves (docs/decisions/0025-a-built-server.md). */
function childProgram(): string {
  const built = join(builtFolder(join(import.meta.dirname, '..')), 'child.js')
  return existsSync(built) ? built : join(import.meta.dirname, 'child.ts')
}

function launch({ env, output, script = childProgram() }: KeeperOptions): Child {
  const stdio = output ?? ('inherit' as const)
  const child = fork(script, {
    stdio: ['ignore', stdio, stdio, 'ipc'],
    env: { ...LEAN_MALLOC, ...env },
    execArgv: [...process.execArgv, TELLS_ITS_STACK, ...LEAN_HEAP],
    // A group of its own: Ctrl-C is for the keeper, which tells it.
    detached: true,
    serialization: 'json',
  })
  child.on('error', () => {})
  const ended = once(child, 'exit')
  return { process: child, loaded: hear(child, 'loaded'), ended }
}

function hear<S extends ToKeeper['say']>(
  child: ChildProcess,
  say: S,
): Promise<Extract<ToKeeper, { say: S }>> {
  return new Promise((resolve) => {
    child.on('message', (message: ToKeeper) => {
      if (message.say === say) resolve(message as Extract<ToKeeper, { say: S }>)
    })
  })
}

async function start(
  child: Child,
  databaseUrl: string,
): Promise<Extract<ToKeeper, { say: 'ready' | 'failed' }>> {
  const gone = child.ended.then(
    () => ({ say: 'failed', message: 'The server ended while it was starting (see above).' }) as const,
  )
  const answer = Promise.race([hear(child.process, 'ready'), hear(child.process, 'failed'), gone])
  await Promise.race([child.loaded, gone])
  tell(child, { say: 'start', databaseUrl })
  return answer
}

function tell(child: Child, message: ToChild): void {
  if (child.process.connected) child.process.send(message, () => {})
}

/** `restarts`: the next one follows at once. */
async function stopChild(child: Child, config: Config, restarts = false): Promise<void> {
  tell(child, { say: 'stop', restarts })
  const patience = new AbortController()
  const late = sleep(config.SHUTDOWN_GRACE_SECONDS * 1000 + EXTRA_GRACE_MS, 'late', {
    signal: patience.signal,
  })
  if ((await Promise.race([child.ended, late])) === 'late') child.process.kill('SIGKILL')
  patience.abort()
  await late.catch(() => {})
  await child.ended
}

/** What is waited for, or the time that is given to it. */
async function within(wanted: Promise<unknown>, ms: number): Promise<void> {
  const patience = new AbortController()
  const late = sleep(ms, undefined, { signal: patience.signal, ref: false }).catch(() => {})
  await Promise.race([wanted, late])
  patience.abort()
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
