import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeStills } from '../../engines/programs/ffmpeg.ts'
import { ProgramFailed } from '../../engines/programs/port.ts'
import { CommandFailed } from '../command.ts'

const PICTURE = /\.(jpe?g|png|webp)$/i
/** Two weeks of printing, a picture each minute; or 55 hours at one each 10 s. */
const MOST = 20_000

/** The frames of a print: pictures of one folder, in order. */
export interface Frames {
  readonly folder: string
  readonly files: readonly string[]
}

/** Uses the pictures of a folder, or of a film as they are every so many seconds of it. */
export async function withFrames<T>(
  path: string,
  secondsOfFilm: number,
  use: (frames: Frames) => Promise<T>,
): Promise<T> {
  const found = await stat(path).catch((error: Error) => {
    throw new CommandFailed(error.message)
  })
  if (found.isDirectory()) return await use(await picturesIn(path, `There are no pictures in ${path}.`))
  const folder = await mkdtemp(join(tmpdir(), 'vigil-film-'))
  try {
    await stillsOf(path, secondsOfFilm, folder)
    return await use(await picturesIn(folder, `${path} is no film that can be read.`))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function stillsOf(film: string, everySeconds: number, to: string): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  try {
    await takeStills({ stopping: stop.signal }, { film, everySeconds, most: MOST, to })
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    if (error.why === 'refused') throw new CommandFailed(`${film} is no film that can be read.`)
    throw new CommandFailed(error.message)
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

async function picturesIn(folder: string, none: string): Promise<Frames> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new CommandFailed(error.message)
  })
  const files = names.filter((name) => PICTURE.test(name)).sort()
  if (files.length === 0) throw new CommandFailed(none)
  return { folder, files }
}
