import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { type Failure, type Limits, ProgramFailed, type Run } from './port.ts'
import { codeOf } from '../../lib/thrown.ts'

/** Who watches prints goes first: the kernel gives a child what nobody else wants. */
const NICENESS = 15
/** What a program says of errors is kept from its end. */
const SAID_CHARS = 4_000
/** The kernel's limits are set by the shell, then the program takes its place: no process stands between. */
const LIMITED = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2"; ulimit -f "$3"; shift 3; exec nice -n "$0" "$@"'
const FILE_BLOCK = 512
/** What a shell says of a program that is not there. */
const NOT_FOUND = 127
/** Words of allocators that were refused. Programs have no common one. */
const NO_MEMORY =
  /cannot allocate memory|out of memory|bad_alloc|memory exhausted|failed to (?:allocate|map segment)|malloc of size \d{1,20} failed/i

/** How many threads a child may work with: half of the processors, at least one. */
export const childThreads = (): number => Math.max(1, Math.floor(availableParallelism() / 2))

/**
 * Runs a program of the system to its end, and resolves with the last that it wrote of errors. It gets its arguments, a
 * bare environment without any of our secrets, and the limits; nothing of it outlives this call, nor `stopping`. Raises
 * `ProgramFailed`.
 */
export async function runProgram(
  { stopping }: { readonly stopping: AbortSignal },
  program: string,
  { args, limits, signal, input, user, onLine }: Run,
): Promise<string> {
  const ends = signal ? AbortSignal.any([stopping, signal]) : stopping
  if (ends.aborted) throw new ProgramFailed('stopped', `${program} was not started: the server stops.`)
  const child = spawn('/bin/sh', shellArgs(program, args, limits), {
    // A group of its own, so that what it has started ends with it.
    detached: true,
    ...(user === undefined ? {} : { uid: user, gid: user }),
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: '/nonexistent' },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  let killedFor: Failure | null = null
  const broken: Error[] = []
  const kill = (why: Failure) => {
    killedFor ??= why
    killGroup(child)
  }
  const stop = () => kill('stopped')
  ends.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => kill('time'), limits.timeMs)
  const said = listen(child, onLine)
  // Not waited for: where the pictures come from may take its time, when nobody wants them any more.
  void feed(child, input).catch((error: Error) => {
    broken.push(error)
    kill('refused')
  })
  try {
    const code = await ended(child)
    for (const error of broken) throw error
    if (code === 0 && killedFor === null) return said()
    throw failureOf(program, killedFor ?? reasonOf(code, said()), said(), limits)
  } finally {
    clearTimeout(timer)
    ends.removeEventListener('abort', stop)
    killGroup(child)
    input?.destroy()
  }
}

function shellArgs(program: string, args: readonly string[], limits: Limits): string[] {
  const cpuSeconds = Math.ceil((limits.timeMs / 1000) * availableParallelism())
  const kilobytes = Math.floor(limits.memoryBytes / 1024)
  const blocks = Math.ceil(limits.fileBytes / FILE_BLOCK)
  return ['-c', LIMITED, `${NICENESS}`, `${cpuSeconds}`, `${kilobytes}`, `${blocks}`, program, ...args]
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Passes lines on; returns what was said of errors so far. */
function listen(child: ChildProcess, onLine: Run['onLine']): () => string {
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_CHARS)
  })
  const lines = createInterface({ input: child.stdout! })
  lines.on('line', (line) => onLine?.(line))
  return () => said.trim()
}

/** Its exit status, as a shell would give it: 128 and the number of the signal that ended it. */
function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/** A program that has read enough closes its ear: that is its right. Raises what breaks the input. */
async function feed(child: ChildProcess, input: Run['input']): Promise<void> {
  if (input === undefined) return
  try {
    await pipeline(input, child.stdin!)
  } catch (error) {
    if (!HAS_READ_ENOUGH.has(codeOf(error))) throw error
  }
}
const HAS_READ_ENOUGH = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

function reasonOf(code: number, said: string): Failure {
  if (NO_MEMORY.test(said)) return 'memory'
  return code === NOT_FOUND ? 'missing' : 'refused'
}

function failureOf(program: string, why: Failure, said: string, limits: Limits): ProgramFailed {
  const last = said.split('\n').at(-1)?.trim()
  const sentence = {
    missing: `${program} is not installed.`,
    time: `${program} was not ready after ${Math.round(limits.timeMs / 1000)} s, and was ended.`,
    memory: `${program} needed more than ${Math.round(limits.memoryBytes / 1_048_576)} MB of memory.`,
    stopped: `${program} was ended: its work is not wanted any more.`,
    refused: `${program} failed${last ? `: ${last}` : '.'}`,
  }[why]
  return new ProgramFailed(why, sentence, said)
}
