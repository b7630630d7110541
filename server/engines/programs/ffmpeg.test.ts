import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ffmpegVersion, makeFilm, type Turn } from './ffmpeg.ts'
import { ProgramFailed } from './port.ts'

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const folder = await mkdtemp(join(tmpdir(), 'vigil-ffmpeg-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let pictures: Buffer[]
let server: { stopping: AbortSignal }
let stop: AbortController
let counter = 0

beforeAll(async () => {
  stop = new AbortController()
  server = { stopping: stop.signal }
  pictures = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      sharp({
        create: { width: 640, height: 480, channels: 3, background: { r: i * 8, g: 255 - i * 8, b: 128 } },
      })
        .jpeg()
        .toBuffer(),
    ),
  )
})

const film = (frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = pictures) => ({
  pictures: frames,
  count: 30,
  picturesPerSecond: 10,
  width: 1280,
  height: 720,
  to: join(folder, `film%d $(id) ${++counter}.mp4`),
})

const probe = (path: string, ...entries: string[]) =>
  execFileSync('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-show_entries',
    entries.join(),
    '-of',
    'csv=p=0',
    `file:${path}`,
  ])
    .toString()
    .trim()

/** Gives one picture, then none: as a store that is slow. */
async function* oneAndNoMore(until: AbortSignal, onFirst?: () => void) {
  yield pictures[0]!
  onFirst?.()
  await new Promise((resolve) => until.addEventListener('abort', resolve))
}

describe.skipIf(!hasFfmpeg)('ffmpeg of the system', () => {
  test('says which it is', async () => {
    expect(await ffmpegVersion(server)).toMatch(/^ffmpeg version \S+$/)
  })

  test('makes an MP4 of 30 pictures that plays everywhere, starts while it loads, and says how far it is', async () => {
    const one = film()
    const shares: number[] = []
    expect(await makeFilm(server, one, { onProgress: (share) => void shares.push(share) })).toHaveLength(30)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(probe(one.to, 'stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames')).toBe(
      'h264,1280,720,yuv420p,10/1,30',
    )
    const bytes = await readFile(one.to)
    expect(bytes.indexOf('moov')).toBeGreaterThan(0)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  })

  test('leaves a damaged picture out, and fails in a sentence where there is no other', async () => {
    const noise = sharp({
      create: {
        width: 640,
        height: 480,
        channels: 3,
        background: 'teal',
        noise: { type: 'gaussian', mean: 90, sigma: 50 },
      },
    })
    const harmed = await noise.jpeg().toBuffer()
    for (let i = harmed.length >> 1; i < harmed.length - 2; i++) harmed[i] = (i * 7) % 251
    const torn = pictures.map((bytes, i) => ([0, 7, 29].includes(i) ? harmed : bytes))
    const whole = pictures.map((_, i) => i)
    const strict = { ...film(torn), isStrict: true }
    expect(await makeFilm(server, strict)).toEqual(whole.filter((i) => ![0, 7, 29].includes(i)))
    expect(probe(strict.to, 'stream=nb_read_frames')).toBe('27')
    expect(await makeFilm(server, film(torn))).toEqual(whole)
    const junk = [Buffer.alloc(50_000, 'no picture at all ')]
    await expect(makeFilm(server, film(junk))).rejects.toThrow(/^ffmpeg failed: ./)
    await expect(makeFilm(server, film([]))).rejects.toBeInstanceOf(ProgramFailed)
  })

  test('turns pictures as their camera hangs: mirrored first, then rotated', async () => {
    const mark = Buffer.from(
      '<svg width="320" height="240"><rect width="320" height="240" fill="white"/></svg>',
    )
    const black = { create: { width: 640, height: 480, channels: 3, background: 'black' } } as const
    const marked = await sharp(black)
      .composite([{ input: mark, top: 0, left: 0 }])
      .jpeg()
      .toBuffer()
    const cornerOf = async (turn: Turn, size: object) => {
      const one = { ...film(Array(8).fill(marked)), ...size, turn }
      await makeFilm(server, one)
      const args = [
        '-v',
        'error',
        '-i',
        `file:${one.to}`,
        '-frames:v',
        '1',
        '-f',
        'image2pipe',
        '-c:v',
        'png',
        '-',
      ]
      const still = execFileSync('ffmpeg', args)
      const { data } = await sharp(still).resize(2, 2, { kernel: 'nearest' }).greyscale().raw().toBuffer({
        resolveWithObject: true,
      })
      return [...data].map((value) => (value > 128 ? 1 : 0)).join('')
    }
    const tall = { width: 480, height: 640 }
    const wide = { width: 640, height: 480 }
    const [flipH, flipV] = [true, false]
    expect(await cornerOf({ flipH: false, flipV: false, rotation: 0 }, wide)).toBe('1000')
    expect(await cornerOf({ flipH, flipV, rotation: 0 }, wide)).toBe('0100')
    expect(await cornerOf({ flipH, flipV, rotation: 90 }, tall)).toBe('0001')
    expect(await cornerOf({ flipH: false, flipV: true, rotation: 270 }, tall)).toBe('0001')
    expect(await cornerOf({ flipH: false, flipV: false, rotation: 180 }, wide)).toBe('0001')
  })

  test('reads pictures and nothing else: no play-list leads it to a file of ours', async () => {
    const secret = join(folder, 'secret.jpg')
    await (await open(secret, 'w')).close()
    const lists = [
      `ffconcat version 1.0\nfile '${secret}'\n`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
    ]
    for (const list of lists) {
      const failed = await makeFilm(server, film([Buffer.from(list)])).catch((error: unknown) => error)
      expect(failed).toMatchObject({ why: 'refused' })
      expect((failed as ProgramFailed).said).not.toContain('secret')
    }
  })

  test('gets no more memory than it may have', async () => {
    const poor = makeFilm(
      server,
      { ...film(), width: 3840, height: 2160 },
      { limits: { memoryBytes: 96 * 1_048_576 } },
    )
    await expect(poor).rejects.toMatchObject({ why: 'memory' })
  })

  test('leaves no film behind that is larger than it may be', async () => {
    const one = film()
    const limits = { fileBytes: 2_048 }
    await expect(makeFilm(server, one, { limits })).rejects.toMatchObject({ why: 'refused' })
    expect((await stat(one.to)).size).toBeLessThanOrEqual(2_048)
  })

  test('is ended when its time is up, and when the server stops', async () => {
    const over = new AbortController()
    const hanging = makeFilm(server, film(oneAndNoMore(over.signal)), { limits: { timeMs: 1_000 } })
    await expect(hanging).rejects.toMatchObject({
      why: 'time',
      message: 'ffmpeg was not ready after 1 s, and was ended.',
    })
    over.abort()
    const running = Promise.withResolvers<void>()
    const stopped = makeFilm(server, film(oneAndNoMore(stop.signal, running.resolve)))
    await running.promise
    stop.abort()
    await expect(stopped).rejects.toMatchObject({ why: 'stopped' })
  })
})
