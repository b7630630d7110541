import { type ChildProcess, fork } from 'node:child_process'
import type { Ctx } from '../../../ctx.ts'
import type { Answer } from '../janus/answers.rules.ts'
import type { Request } from '../janus/janus.rules.ts'
import type { FromFanout, ToFanout } from './messages.ts'

/** One agent's line, as the fan-out needs it. */
export interface Served {
  /** Says something to the printer's Janus. */
  say(request: Request): void
  /** Tells viewers what their Janus would. */
  answer(answer: Answer): void
  /** All viewers' connections are gone. */
  lost(): void
}

/** One line's place at the fan-out. */
export interface Fanout {
  /** A viewer says something; its transaction names the viewer. */
  ask(request: Request): void
  /** The printer's Janus says something. */
  hear(answer: Answer): void
  end(): void
}

/** A program that falls is set up again after this long, later ones after up to a minute. */
const AGAIN_MS = 1_000
const LONGEST_MS = 60_000
/** Who has lived so long has not fallen in a row. */
const STEADY_MS = 600_000
const MEMORY_MB = 192
const MOST_HELD = 1_000
/** It knows the way to programs and nothing of us. */
const KEPT_VARIABLES = ['PATH', 'NODE_COMPILE_CACHE', 'LD_LIBRARY_PATH'] as const

interface Line {
  readonly served: Served
  /** At the Janus, by us: to be ended when who made them cannot. */
  readonly sessions: Set<number>
}

/** The process beside this one that carries video (docs/decisions/0014), and the lines that it serves. */
export class FanoutProcess {
  readonly #ctx: Ctx
  readonly #lines = new Map<number, Line>()
  #child: ChildProcess | null = null
  #state: 'starting' | 'ready' | 'impossible' | 'ended' = 'starting'
  /** Said before it was ready. */
  #held: ToFanout[] = []
  #count = 0
  #falls = 0
  #readyAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.#start()
  }

  /** Takes a line in; null where there can be no fan-out: then words are relayed. */
  open(served: Served): Fanout | null {
    if (this.#state === 'impossible' || this.#state === 'ended') return null
    const line = ++this.#count
    const sessions = new Set<number>()
    this.#lines.set(line, { served, sessions })
    return {
      ask: (request) => this.#tell({ kind: 'ask', line, request }),
      hear: (answer) => {
        const made = madeBy(answer)
        if (made !== null) sessions.add(made)
        this.#tell({ kind: 'heard', line, answer })
      },
      end: () => {
        if (this.#lines.delete(line)) this.#tell({ kind: 'over', line })
      },
    }
  }

  close(): void {
    this.#state = 'ended'
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  #start(): void {
    this.#state = 'starting'
    const {
      STREAM_FANOUT_PORT: port,
      STREAM_FANOUT_ADDRESSES: addresses,
      PORT,
      HOST: host,
    } = this.#ctx.config
    const child = fork(new URL('./sfu.child.ts', import.meta.url), {
      stdio: 'ignore',
      execArgv: [`--max-old-space-size=${MEMORY_MB}`],
      env: Object.fromEntries(KEPT_VARIABLES.map((name) => [name, process.env[name]])),
    })
    this.#child = child
    child.on('message', (message: FromFanout) => this.#hear(message))
    child.on('error', () => undefined)
    child.once('exit', (code, signal) => this.#fell(signal ?? code))
    child.send({ kind: 'begin', port: port ?? PORT, host, addresses } satisfies ToFanout, () => undefined)
  }

  #hear(message: FromFanout): void {
    const { log } = this.#ctx
    if (message.kind === 'ready') return this.#ready()
    if (message.kind === 'impossible') {
      log.error({ why: message.why }, 'STREAM_FANOUT=on: video goes from printers to viewers all the same')
      this.#state = 'impossible'
      this.#child?.kill('SIGKILL')
      return this.#loseAll()
    }
    const line = this.#lines.get(message.line)
    if (line === undefined) return
    if (message.kind === 'answer') return line.served.answer(message.answer)
    if (message.request.janus === 'destroy') line.sessions.delete(message.request.session_id)
    line.served.say(message.request)
  }

  #ready(): void {
    this.#state = 'ready'
    this.#readyAt = this.#ctx.clock.monotonic()
    for (const message of this.#held.splice(0)) this.#tell(message)
  }

  /** Native code is beside itself at worst: then it is set up again, and its viewers come back by themselves. */
  #fell(why: string | number | null): void {
    if (this.#state === 'ended' || this.#state === 'impossible') return
    this.#ctx.log.error({ why }, 'the process that carries video has ended; it is started again')
    this.#state = 'starting'
    this.#held = []
    this.#loseAll()
    if (this.#ctx.clock.monotonic() - this.#readyAt > STEADY_MS) this.#falls = 0
    const wait = Math.min(AGAIN_MS * 2 ** this.#falls++, LONGEST_MS)
    this.#timer = setTimeout(() => this.#start(), wait)
  }

  #loseAll(): void {
    for (const [key, { served, sessions }] of this.#lines) {
      this.#lines.delete(key)
      for (const session_id of sessions) served.say({ janus: 'destroy', session_id, transaction: 'over' })
      served.lost()
    }
  }

  #tell(message: ToFanout): void {
    if (this.#state === 'starting' && this.#held.length < MOST_HELD) this.#held.push(message)
    else if (this.#state === 'ready') this.#child?.send(message, () => undefined)
  }
}

/** The session that an answer to `create` names. */
function madeBy(answer: Answer): number | null {
  const isCreated = answer.janus === 'success' && answer.session_id === undefined
  return isCreated ? (answer.data?.id ?? null) : null
}

/** Whether there can be a fan-out here: null, or why not. For `doctor`. */
export function whyNoFanout(options: {
  port: number
  host: string
  addresses: readonly string[]
}): Promise<string | null> {
  return new Promise((resolve) => {
    const child = fork(new URL('./sfu.child.ts', import.meta.url), { stdio: 'ignore', execArgv: [] })
    const end = (why: string | null): void => {
      resolve(why)
      child.kill('SIGKILL')
    }
    child.once('message', (message: FromFanout) => end(message.kind === 'impossible' ? message.why : null))
    child.once('error', ({ message }) => end(message))
    child.once('exit', () => end('Its process does not start.'))
    child.send({ kind: 'begin', ...options } satisfies ToFanout, () => undefined)
  })
}
