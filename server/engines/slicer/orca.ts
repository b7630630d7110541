import { constants, open } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'
import { jsonIn } from '../../lib/slicing/orca.ts'
import { runProgram } from '../programs/child.ts'
import { ProgramFailed } from '../programs/port.ts'
import { type SliceOptions, SliceFailed, type SliceRefusal, type SliceWork } from './port.ts'
import { BLOCK_BYTES, limitsOf, MEMORY_BYTES, userFor } from './running.ts'

interface Server {
  readonly stopping: AbortSignal
}

const TRIANGLES = 3_000_000
const SAID_CHARS = 300
const LONGEST_LINE = 10_000
/** As its command line names the parts of a profile's files. */
const PROFILES = ['machine', 'process', 'filament'] as const
const settings = z.record(z.enum(PROFILES), z.record(z.string(), z.unknown()))

/** Name and version of OrcaSlicer by its help; null when it cannot be run. Raises `ProgramFailed` when it does not answer in time. */
export async function orcaVersion(server: Server, program: string): Promise<string | null> {
  let found: string | null = null
  try {
    await runProgram(server, program, {
      args: ['--help'],
      limits: { timeMs: 20_000, memoryBytes: MEMORY_BYTES, fileBytes: BLOCK_BYTES },
      onLine: (line) => {
        const version = /^OrcaSlicer\W{0,3}(\d[\w.-]{0,30})?/.exec(line.slice(0, SAID_CHARS))
        if (version) found ??= ['OrcaSlicer', version[1]].filter(Boolean).join(' ')
      },
    })
  } catch (error) {
    if (error instanceof ProgramFailed && error.why !== 'stopped' && error.why !== 'time') return found
    throw error
  }
  return found
}

/**
 * Slices with OrcaSlicer's command line (docs/rules/slice.md 6): meshes are printed where they stand. Nothing that somebody has said is
 * among its arguments.
 */
export async function sliceWithOrca(
  server: Server,
  program: string,
  work: SliceWork,
  options: SliceOptions,
): Promise<string> {
  const { folder, mostBytes } = work
  const paths = await writeProfiles(folder, work.settings)
  const out = join(folder, 'out')
  const pipe = join(folder, 'progress')
  for (const path of [out, join(folder, 'data')]) await mkdir(path)
  const limits = limitsOf(work, options)
  await runProgram(server, 'mkfifo', { args: [pipe], limits, signal: options.signal })
  const user = await userFor(work, [...paths, out, join(folder, 'data'), pipe])
  const told = await listenTo(pipe, options.onProgress)
  try {
    await runProgram(server, program, {
      args: argumentsFor(work, paths, { out, pipe, seconds: Math.ceil(limits.timeMs / 1000) }),
      limits,
      signal: options.signal,
      ...(user === undefined ? {} : { user }),
    })
  } catch (error) {
    if (!(error instanceof ProgramFailed) || error.why === 'stopped') throw error
    throw await failureOf(error, out)
  } finally {
    told.end()
  }
  const made = join(out, 'plate_1.gcode')
  const size = (await stat(made).catch(() => null))?.size ?? 0
  if (size === 0) throw (await saidIn(out)) ?? new SliceFailed('crashed')
  if (size > mostBytes) throw new SliceFailed('tooLarge')
  return made
}

async function writeProfiles(folder: string, content: string): Promise<string[]> {
  const all = settings.parse(JSON.parse(content))
  return await Promise.all(
    PROFILES.map(async (name) => {
      const path = join(folder, `${name}.json`)
      await writeFile(path, JSON.stringify(all[name]))
      return path
    }),
  )
}

function argumentsFor(
  { folder, meshes }: SliceWork,
  [machine, process, filament]: readonly string[],
  { out, pipe, seconds }: { out: string; pipe: string; seconds: number },
): string[] {
  const one = (name: string, value: string | undefined) => [`--${name}`, value ?? '']
  return [
    ...one('datadir', join(folder, 'data')),
    ...one('load-settings', `${machine};${process}`),
    ...one('load-filaments', filament),
    ...one('arrange', '0'),
    ...one('orient', '0'),
    '--ensure-on-bed',
    ...one('mtcpp', String(TRIANGLES)),
    ...one('mstpp', String(seconds)),
    ...one('pipe', pipe),
    ...one('outputdir', out),
    ...one('slice', '0'),
    ...meshes,
  ]
}

const progress = z.object({ total_percent: z.number() })

/** Lines of JSON that it writes into a pipe as it goes on. */
async function listenTo(path: string, onProgress: SliceOptions['onProgress']): Promise<{ end: () => void }> {
  // Open for both, it never waits for who writes.
  const fd = await promisify(open)(path, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd, readable: true, writable: false })
  let most = 0
  createInterface({ input: socket }).on('line', (line) => {
    const said = progress.safeParse(jsonIn(line.slice(0, LONGEST_LINE)))
    if (!said.success) return
    most = Math.max(most, Math.min(1, said.data.total_percent / 100))
    onProgress(most)
  })
  socket.on('error', () => {})
  return { end: () => void socket.destroy() }
}

/** What its numbers mean for a person, as far as we know better words than its own. */
const MEANINGS: Readonly<Record<number, SliceRefusal>> = {
  [-3]: 'badMesh',
  [-6]: 'badMesh',
  [-50]: 'noLayers',
  [-52]: 'offBed',
  [-58]: 'tooLong',
  [-63]: 'tooClose',
  [-64]: 'tooClose',
  [-65]: 'vaseAlone',
  [-101]: 'tooClose',
}
const result = z.object({ return_code: z.number(), error_string: z.string().catch('') })

/** What it says of itself in its answer; null where it has none. */
async function saidIn(out: string): Promise<SliceFailed | null> {
  const content = await readFile(join(out, 'result.json'), 'utf8').catch(() => '')
  const { data } = result.safeParse(jsonIn(content))
  if (!data || data.return_code === 0) return null
  const said = data.error_string.slice(0, SAID_CHARS)
  return new SliceFailed(MEANINGS[data.return_code] ?? (said === '' ? 'crashed' : 'refused'), said)
}

async function failureOf(error: ProgramFailed, out: string): Promise<SliceFailed> {
  const cause = { cause: error }
  if (error.why === 'missing') return new SliceFailed('missing', '', cause)
  if (error.why === 'time') return new SliceFailed('tooLong', '', cause)
  if (error.why === 'memory') return new SliceFailed('tooMuchMemory', '', cause)
  return (await saidIn(out)) ?? new SliceFailed('crashed', error.said.slice(0, SAID_CHARS), cause)
}
