import { Readable } from 'node:stream'
import { z } from 'zod'
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
  /** Each picture is turned before it is fitted in: mirrored, then rotated clockwise. */
  readonly turn?: Turn
  /** A picture of which a part is damaged is left out; else it is shown as far as it goes. */
  readonly isStrict?: boolean
  /** Threads of the child; half of the processors unless given. */
  readonly threads?: number
  /** Path of the MP4: written in place, so make it a temporary one, and move it when this has resolved. */
  readonly to: string
}

/** How a camera hangs: mirrored left to right, top to bottom, then rotated clockwise by so many degrees. */
export interface Turn {
  readonly flipH: boolean
  readonly flipV: boolean
  readonly rotation: 0 | 90 | 180 | 270
}

const TURNS = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] } as const

const turned = ({ flipH, flipV, rotation }: Turn): string[] => [
  ...(flipH ? ['hflip'] : []),
  ...(flipV ? ['vflip'] : []),
  ...TURNS[rotation],
]

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
  return (lines[0] ?? '').split(' Copyright', 1).join('')
}

/** Each picture that was decoded is told, with its time: those that were not leave a gap there. */
const TOLD = 'metadata=mode=add:key=is:value=there,metadata=mode=print:file=pipe\\\\:1:direct=1'

/**
 * Makes a film of pictures: H.264 in MP4 that starts while it loads and plays everywhere (yuv420p). Resolves with the
 * places of the pictures that are in it, from 0 on: one that cannot be read is left out. Raises `ProgramFailed`, also
 * when no picture could be read.
 */
export async function makeFilm(server: Server, film: Film, options: Options = {}): Promise<number[]> {
  const { count, picturesPerSecond: rate } = film
  const { onProgress, signal, limits } = options
  const places: number[] = []
  const said = await runProgram(server, 'ffmpeg', {
    args: filmArgs(film),
    limits: { ...LIMITS, ...limits },
    input: Readable.from(film.pictures, { objectMode: true, highWaterMark: 2 }),
    onLine: (line) => {
      const seconds = /^frame:.*pts_time:\s*([\d.]+)/.exec(line)?.[1]
      if (seconds === undefined) return
      places.push(Math.round(Number(seconds) * rate))
      onProgress?.(Math.min(1, places.length / Math.max(1, count)))
    },
    ...(signal ? { signal } : {}),
  })
  if (places.length === 0)
    throw new ProgramFailed('refused', 'ffmpeg failed: no picture could be read.', said)
  return places
}

function filmArgs(film: Film): string[] {
  const { picturesPerSecond: rate, width, height, turn, isStrict, to } = film
  const threads = `${film.threads ?? childThreads()}`
  const size = `${width}:${height}`
  const fit = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:(ow-iw)/2:(oh-ih)/2,setsar=1`
  const filters = [TOLD, ...(turn ? turned(turn) : []), fit, `settb=1/${rate},setpts=N`]
  const from = ['-threads', threads, ...ONLY_PICTURES, '-framerate', `${rate}`, '-i', 'pipe:0']
  const shape = ['-an', '-sn', '-dn', '-map_metadata', '-1', '-filter_threads', '1', '-vf', filters.join()]
  // Of webcam pictures with their noise as small as `veryfast` makes them, for half the work.
  const coding = ['-c:v', 'libx264', '-threads', threads, '-preset', 'superfast', '-pix_fmt', 'yuv420p']
  // Whoever jumps about in it waits for no more than two seconds of pictures.
  const jumps = ['-g', `${Math.ceil(rate * 2)}`, '-r', `${rate}`]
  const into = ['-movflags', '+faststart', '-f', 'mp4', '-y', `file:${to}`]
  const care = isStrict ? ['-err_detect', 'explode'] : []
  return [TAME, care, from, shape, coding, jumps, into].flat()
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
  /** Longest side of a picture in pixels; 1280 wide unless given. */
  readonly widest?: number
  /** `uploads`: what strangers may send, and nothing else; all that we know unless given. */
  readonly formats?: 'uploads'
  /** An empty folder: `000001.jpg` and so on. */
  readonly to: string
}

const FILMS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mjpeg,mpegts'
const UPLOADS = 'mov,mp4,m4a,3gp,3g2,mj2,mpeg,mpegvideo'
/** Where a film may lead ffmpeg: to itself. */
const only = (formats: string) => ['-protocol_whitelist', 'file', '-format_whitelist', formats]

/**
 * Takes pictures out of a film, at most 1280 pixels wide, as JPEG. Raises `ProgramFailed`, also when it holds none.
 */
export async function takeStills(server: Server, stills: Stills, options: Options = {}): Promise<void> {
  const { film, everySeconds, most, widest, formats, to } = stills
  const threads = `${childThreads()}`
  const whitelist = only(formats === 'uploads' ? UPLOADS : FILMS)
  const from = ['-threads', threads, ...whitelist, '-i', `file:${film}`]
  const shape = ['-an', '-sn', '-dn', '-map_metadata', '-1', '-filter_threads', '1']
  const scale = widest
    ? `scale=w='min(${widest},iw)':h='min(${widest},ih)':force_original_aspect_ratio=decrease`
    : `scale='min(1280,iw)':-2`
  const picked = ['-vf', `fps=1/${everySeconds}:round=up,${scale}`, '-frames:v', `${most}`]
  await runProgram(server, 'ffmpeg', {
    args: [TAME, from, shape, picked, ['-q:v', '3', '-f', 'image2', `file:${to}/%06d.jpg`]].flat(),
    limits: { ...LIMITS, ...options.limits },
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

const probed = z.object({
  streams: z.tuple([
    z.object({
      width: z.int().positive(),
      height: z.int().positive(),
      avg_frame_rate: z.string().regex(/^\d+\/\d+$/),
    }),
  ]),
  format: z.object({ duration: z.coerce.number().positive() }),
})

/** What a film says of itself: hostile input, nothing of it is decoded. */
export interface FilmFacts {
  readonly seconds: number
  readonly picturesPerSecond: number
  readonly width: number
  readonly height: number
}

/**
 * Reads the head of a film that a stranger has sent: MP4 or MPEG, nothing else. Raises `ProgramFailed`, `refused` for what
 * is no such film or has no pictures.
 */
export async function probeFilm(server: Server, film: string, signal?: AbortSignal): Promise<FilmFacts> {
  const lines: string[] = []
  const asked = 'stream=width,height,avg_frame_rate:format=duration'
  const what = ['-select_streams', 'v:0', '-show_entries', asked, '-of', 'json']
  const said = await runProgram(server, 'ffprobe', {
    args: ['-hide_banner', '-loglevel', 'error', ...only(UPLOADS), ...what, '-i', `file:${film}`],
    limits: { timeMs: 20_000, memoryBytes: 512 * 1_048_576, fileBytes: 0 },
    onLine: (line) => {
      if (lines.length < PROBED_LINES) lines.push(line)
    },
    ...(signal ? { signal } : {}),
  })
  const read = probed.safeParse(parsed(lines.join('\n')))
  if (!read.success)
    throw new ProgramFailed('refused', 'ffprobe failed: this is no film with pictures.', said)
  const [{ width, height, avg_frame_rate }] = read.data.streams
  const [count = 0, per = 1] = avg_frame_rate.split('/').map(Number)
  const rate = per === 0 ? 0 : count / per
  return { seconds: read.data.format.duration, picturesPerSecond: rate > 0 ? rate : 25, width, height }
}
const PROBED_LINES = 200

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
