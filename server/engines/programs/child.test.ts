import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { runProgram } from './child.ts'
import { type Limits, ProgramFailed, type Run } from './port.ts'

const MEGABYTE = 1_048_576
const LIMITS: Limits = { timeMs: 60_000, memoryBytes: 512 * MEGABYTE, fileBytes: 64 * MEGABYTE }
const folder = await mkdtemp(join(tmpdir(), 'vigil-programs-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

function aServer() {
  const stop = new AbortController()
  return { stop, server: { stopping: stop.signal } }
}

/** Runs words of a shell as the child program. */
const shell = (words: string, more: Partial<Run> = {}, server = aServer().server) =>
  runProgram(server, 'sh', { args: ['-c', words], limits: LIMITS, ...more })

const why = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    (error: unknown) => (error instanceof ProgramFailed ? error.why : String(error)),
  )

/** A zombie that nobody has reaped yet is dead. */
const lives = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const gone = (pid: number): Promise<boolean> => eventually(() => !lives(pid) || undefined)

test('its lines come as they are written, and its arguments are no words of a shell', async () => {
  const lines: string[] = []
  const args = ['$(echo pwned) `id` ; "\'', '-x', 'two words']
  await runProgram(aServer().server, 'printf', {
    args: ['%s\\n', ...args],
    limits: LIMITS,
    onLine: (line) => void lines.push(line),
  })
  expect(lines).toEqual(args)
})

test('it knows nothing of our environment, and is nicer than we are', async () => {
  process.env['VIGIL_TEST_SECRET'] = 'secret'
  const lines: string[] = []
  await shell('env; nice; ulimit -c', { onLine: (line) => void lines.push(line) })
  delete process.env['VIGIL_TEST_SECRET']
  expect(lines.join('\n')).not.toContain('secret')
  expect(lines.slice(-2)).toEqual(['15', '0'])
})

test('what it is given to read goes in without being gathered first', async () => {
  const lines: string[] = []
  const input = Readable.from(['a\n', 'b\n'])
  await shell('cat', { input, onLine: (line) => void lines.push(line) })
  expect(lines).toEqual(['a', 'b'])
  expect(await why(shell('head -c 1', { input: Readable.from(Array(10_000).fill('x'.repeat(1000))) }))).toBe(
    'done',
  )
})

test('a program that is not there, and one that fails, are told apart in a sentence', async () => {
  const absent = runProgram(aServer().server, 'no-such-program', { args: [], limits: LIMITS })
  await expect(absent).rejects.toMatchObject({
    why: 'missing',
    message: 'no-such-program is not installed.',
  })
  await expect(shell('echo first >&2; echo that is wrong >&2; exit 3')).rejects.toMatchObject({
    why: 'refused',
    message: 'sh failed: that is wrong',
    said: 'first\nthat is wrong',
  })
})

test('out of time it ends, and all that it has started', async () => {
  const pids: number[] = []
  const slow = shell('sleep 1000 & echo $!; echo $$; wait', {
    limits: { ...LIMITS, timeMs: 300 },
    onLine: (line) => void pids.push(Number(line)),
  })
  await expect(slow).rejects.toMatchObject({ why: 'time' })
  expect(pids).toHaveLength(2)
  for (const pid of pids) expect(await gone(pid)).toBe(true)
})

test('what it left running in the background does not outlive it', async () => {
  const pids: number[] = []
  await shell('sleep 1000 >/dev/null 2>&1 & echo $!', { onLine: (line) => void pids.push(Number(line)) })
  expect(await gone(pids[0]!)).toBe(true)
})

test('it ends with the server, and with the one who wanted its work', async () => {
  for (const ends of ['server', 'caller'] as const) {
    const { stop, server } = aServer()
    const caller = new AbortController()
    const started = Promise.withResolvers<number>()
    const run = shell(
      'echo $$; exec sleep 1000',
      { signal: caller.signal, onLine: (line) => started.resolve(Number(line)) },
      server,
    )
    const refused = why(run)
    const pid = await started.promise
    expect(lives(pid)).toBe(true)
    if (ends === 'server') stop.abort()
    else caller.abort()
    expect(await refused).toBe('stopped')
    expect(await gone(pid)).toBe(true)
    if (ends === 'server') expect(await why(shell('true', {}, server))).toBe('stopped')
  }
})

test('more memory than it may have it does not get', async () => {
  const run = shell('head -c 200M /dev/zero | tail -c 200M >/dev/null', {
    limits: { ...LIMITS, memoryBytes: 32 * MEGABYTE },
  })
  await expect(run).rejects.toMatchObject({
    why: 'memory',
    message: 'sh needed more than 32 MB of memory.',
  })
})

test('a file larger than it may write is cut off, and the program with it', async () => {
  const limits = { ...LIMITS, fileBytes: MEGABYTE }
  expect(await why(shell(`exec head -c 3M /dev/zero > ${join(folder, 'large')}`, { limits }))).toBe('refused')
})

test('an input that breaks ends the program, with the error of the input', async () => {
  const broken = Readable.from(
    (function* () {
      yield 'a'
      throw new Error('the disk is gone')
    })(),
  )
  expect(await why(shell('cat >/dev/null; sleep 1000', { input: broken }))).toBe('Error: the disk is gone')
})
