import { Readable } from 'node:stream'
import { childThreads, runProgram } from './child.ts'
import { type Limits, ProgramFailed } from './port.ts'

interface Server {
  readonly stopping: AbortSignal
}

/** A film to be made of pictures. */
export interface Film {
  /** JPEGs, one after another; read as fast as they are taken, so no more than a few are in memory. */
  readonly pictures: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** How many there will be, for the progress; what comes in the end counts. */
  readonly count: number
  readonly picturesPerSecond: number
  /** Of the film, in pixels, even: pictures of other shapes get bars. */
  readonly width: number
  readonly height: number
  /** Path of the MP4: written in place, so make it a temporary one, and move it when this has resolved. */
  readonly to: string
}

interface Options {
  /** How much is done, 0 to 1, about twice a second. */
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
}

const LIMITS: Limits = {
  timeMs: 15 * 60_000,
  memoryBytes: 768 * 1_048_576,
  fileBytes: 1024 * 1_048_576,
}
const VERSION_LIMITS: Limits = { ...LIMITS, timeMs: 10_000 }

/**
 * What strangers' bytes may make ffmpeg do: read what it is given, nothing else. No network, no play-list or other
 * format that names further files, and nothing is guessed from what the bytes look like.
 */
const TAME = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error']
const ONLY_PICTURES = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'mjpeg', '-f', 'mjpeg']

/** The first line of `ffmpeg -version`. Raises `ProgramFailed`, `missing` where there is none. */
export async function ffmpegVersion(server: Server): Promise<string> {
  const lines: string[] = []
  await runProgram(server, 'ffmpeg', {
    args: ['-version'],
    limits: VERSION_LIMITS,
    onLine: (line) => void lines.push(line),
  })
  return (lines[0] ?? '').replace(/ Copyright.*/, '')
}

/**
 * Makes a film of pictures: H.264 in MP4 that starts while it loads and plays everywhere (yuv420p). A picture that is
 * damaged is left out or shown as far as it goes. Resolves with the number of pictures in the film. Raises
 * `ProgramFailed`, also when no picture could be read.
 */
export async function makeFilm(server: Server, film: Film, options: Options = {}): Promise<number> {
  const { pictures, count, picturesPerSecond: rate, width, height, to } = film
  const { onProgress, signal, limits } = options
  const threads = `${childThreads()}`
  const size = `${width}:${height}`
  const fit = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:(ow-iw)/2:(oh-ih)/2,setsar=1`
  const from = ['-threads', threads, ...ONLY_PICTURES, '-framerate', `${rate}`, '-i', 'pipe:0']
  const shape = ['-an', '-sn', '-dn', '-map_metadata', '-1', '-filter_threads', '1', '-vf', fit]
  const coding = ['-c:v', 'libx264', '-threads', threads, '-preset', 'veryfast', '-pix_fmt', 'yuv420p']
  const into = ['-movflags', '+faststart', '-progress', 'pipe:1', '-f', 'mp4', '-y', `file:${to}`]
  let done = 0
  const said = await runProgram(server, 'ffmpeg', {
    args: [TAME, from, shape, coding, into].flat(),
    limits: { ...LIMITS, ...limits },
    input: Readable.from(pictures, { objectMode: true, highWaterMark: 2 }),
    onLine: (line) => {
      const frame = /^frame=\s*(\d+)$/.exec(line)?.[1]
      if (frame === undefined) return
      done = Number(frame)
      onProgress?.(Math.min(1, done / Math.max(1, count)))
    },
    ...(signal ? { signal } : {}),
  })
  if (done === 0) throw new ProgramFailed('refused', 'ffmpeg failed: no picture could be read.', said)
  return done
}

/**
 * The moving pictures of a film and nothing else: no sound, no titles, no dates, no name of who made it. They are not
 * made anew. Raises `ProgramFailed`.
 */
export async function bareFilm(
  server: Server,
  { film, to }: { readonly film: string; readonly to: string },
  options: Options = {},
): Promise<void> {
  const from = ['-protocol_whitelist', 'file', '-format_whitelist', FILMS, '-i', `file:${film}`]
  const kept = ['-map', '0:v:0', '-c', 'copy', '-map_metadata', '-1', '-map_chapters', '-1']
  const nameless = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-metadata:s:v:0', 'handler_name=']
  const into = ['-movflags', '+faststart', '-f', 'mp4', '-y', `file:${to}`]
  await runProgram(server, 'ffmpeg', {
    args: [TAME, from, kept, nameless, into].flat(),
    limits: { ...LIMITS, ...options.limits },
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

/** Pictures to be taken out of a film. */
export interface Stills {
  readonly film: string
  /** Seconds of the film from one to the next. */
  readonly everySeconds: number
  /** No more than so many, from the beginning on. */
  readonly most: number
  /** An empty folder: `000001.jpg` and so on. */
  readonly to: string
}

const FILMS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mjpeg,mpegts'

/**
 * Takes pictures out of a film, at most 1280 pixels wide, as JPEG. Raises `ProgramFailed`, also when it holds none.
 */
export async function takeStills(server: Server, stills: Stills, options: Options = {}): Promise<void> {
  const { film, everySeconds, most, to } = stills
  const threads = `${childThreads()}`
  const from = [
    '-threads',
    threads,
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    FILMS,
    '-i',
    `file:${film}`,
  ]
  const shape = ['-an', '-sn', '-dn', '-map_metadata', '-1', '-filter_threads', '1']
  const picked = ['-vf', `fps=1/${everySeconds}:round=up,scale='min(1280,iw)':-2`, '-frames:v', `${most}`]
  await runProgram(server, 'ffmpeg', {
    args: [TAME, from, shape, picked, ['-q:v', '3', '-f', 'image2', `file:${to}/%06d.jpg`]].flat(),
    limits: { ...LIMITS, ...options.limits },
    ...(options.signal ? { signal: options.signal } : {}),
  })
}
