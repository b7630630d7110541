import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { runProgram } from '../programs/child.ts'
import { ProgramFailed } from '../programs/port.ts'
import { type SliceOptions, SliceFailed, type SliceRefusal, type SliceWork, type StepWork } from './port.ts'
import { BLOCK_BYTES, limitsOf, MEMORY_BYTES, userFor } from './running.ts'

interface Server {
  readonly stopping: AbortSignal
}

/** Of what it says the last lines are kept, cut. */
const SAID_LINES = 60
const SAID_CHARS = 300
const STEP_MS = 60_000
/** Whoever brings STEP files waits for it, as for meshes that are read: so many at once. */
const inTurn = pLimit(1)

/** The first line of PrusaSlicer's help that names it; null when it cannot be run. Raises `ProgramFailed` when it does not answer in time. */
export async function prusaVersion(server: Server, program: readonly string[]): Promise<string | null> {
  const lines: string[] = []
  const [name = '', ...before] = program
  try {
    await runProgram(server, name, {
      args: [...before, '--help'],
      limits: { timeMs: 20_000, memoryBytes: MEMORY_BYTES, fileBytes: BLOCK_BYTES },
      onLine: (line) => {
        if (lines.length < SAID_LINES) lines.push(line)
      },
    })
  } catch (error) {
    // One that is slow to answer is there all the same.
    if (error instanceof ProgramFailed && error.why !== 'stopped' && error.why !== 'time') return null
    throw error
  }
  const found = lines.find((line) => line.startsWith('PrusaSlicer-'))
  return found ? `PrusaSlicer ${found.slice('PrusaSlicer-'.length).split(/[+ ]/, 1)[0]}` : null
}

/**
 * Slices with PrusaSlicer's command line (docs/rules/slice.md 6): meshes are printed where they stand, nothing is arranged, a setting
 * that it does not know is an error. Nothing that somebody has said is among its arguments.
 */
export async function sliceWithPrusa(
  server: Server,
  program: readonly string[],
  work: SliceWork,
  options: SliceOptions,
): Promise<string> {
  const { folder, meshes, settings, mostBytes } = work
  const [ini, out] = [join(folder, 'settings.ini'), join(folder, 'out.gcode')]
  await writeFile(ini, settings)
  const user = await userFor(work, [ini])
  const limits = limitsOf(work, options)
  const said: string[] = []
  let most = 0
  try {
    // Through a pipe its lines would come all at the end.
    await runProgram(server, 'stdbuf', {
      args: ['-oL', ...program, ...argumentsFor(ini, out, meshes)],
      limits,
      signal: options.signal,
      ...(user === undefined ? {} : { user }),
      onLine(line) {
        const done = /^(\d{1,3}) => /.exec(line)?.[1]
        if (done === undefined) return keep(said, line)
        // Of several objects, and of infill, it tells less than before.
        most = Math.max(most, Math.min(1, Number(done) / 100))
        options.onProgress(most)
      },
    })
  } catch (error) {
    if (!(error instanceof ProgramFailed) || error.why === 'stopped') throw error
    throw await failureOf(error, said, folder, mostBytes)
  }
  const made = await stat(out).catch(() => null)
  if (made === null || made.size === 0) throw new SliceFailed('crashed', said.at(-1))
  if (made.size > mostBytes) throw new SliceFailed('tooLarge')
  return out
}

/** Makes a binary STL of a STEP file, in millimetres; its path, in the folder. Raises `SliceFailed`. */
export async function stlWithPrusa(
  server: Server,
  program: readonly string[],
  work: StepWork,
  signal: AbortSignal,
): Promise<string> {
  const out = join(work.folder, 'step.stl')
  const asked = { ...work, meshes: [work.file], settings: '' }
  const user = await userFor(asked, [])
  const limits = limitsOf(asked, { signal, onProgress: () => {}, timeMs: STEP_MS })
  const [name = '', ...before] = program
  const args = [...before, '--export-stl', '--merge', '-o', out, work.file]
  try {
    await inTurn(() =>
      runProgram(server, name, { args, limits, signal, ...(user === undefined ? {} : { user }) }),
    )
  } catch (error) {
    if (!(error instanceof ProgramFailed) || error.why === 'stopped') throw error
    throw new SliceFailed(error.why === 'missing' ? 'missing' : 'badMesh', '', { cause: error })
  }
  if ((await stat(out).catch(() => null)) === null) throw new SliceFailed('badMesh')
  return out
}

const argumentsFor = (ini: string, out: string, meshes: readonly string[]) => [
  '-g',
  '--load',
  ini,
  '--config-compatibility',
  'disable',
  '--loglevel',
  '1',
  '--merge',
  '--dont-arrange',
  '-o',
  out,
  ...meshes,
]

function keep(said: string[], line: string): void {
  if (line.trim() === '' || line.startsWith('[')) return
  said.push(line.slice(0, SAID_CHARS))
  if (said.length > SAID_LINES) said.shift()
}

/** What it says, and what that means for a person. */
const MEANINGS: readonly (readonly [RegExp, SliceRefusal])[] = [
  [/No layers were detected|empty initial layer|no extrusions in the first layer/i, 'noLayers'],
  [/could not fit on the bed/i, 'offBed'],
  [/too close|will collide/i, 'tooClose'],
  [/single object may be printed at a time in Spiral Vase/i, 'vaseAlone'],
  [/layer height can't be greater|too low to be printable|greater than nozzle diameter/i, 'layerTooHigh'],
  [/not supposed to work at 100% density/i, 'fillFull'],
  [/value out of range|invalid value/i, 'outOfRange'],
  [/Loading of a model file failed|wrong size|empty file|wrong with this ASCII|convex hull/i, 'badMesh'],
]

async function failureOf(
  error: ProgramFailed,
  said: readonly string[],
  folder: string,
  mostBytes: number,
): Promise<SliceFailed> {
  const cause = { cause: error }
  if (error.why === 'missing') return new SliceFailed('missing', '', cause)
  if (error.why === 'time') return new SliceFailed('tooLong', '', cause)
  if (error.why === 'memory') return new SliceFailed('tooMuchMemory', '', cause)
  const all = [...said, ...error.said.split('\n')]
  for (const [words, why] of MEANINGS) {
    const line = all.find((one) => words.test(one.slice(0, SAID_CHARS)))
    if (line !== undefined) return new SliceFailed(why, line.slice(0, SAID_CHARS), cause)
  }
  for (const name of await readdir(folder)) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (name.startsWith('out.gcode') && (file?.size ?? 0) >= mostBytes)
      return new SliceFailed('tooLarge', '', cause)
  }
  const first = said[0]
  return first === undefined
    ? new SliceFailed('crashed', '', cause)
    : new SliceFailed('refused', first, cause)
}
