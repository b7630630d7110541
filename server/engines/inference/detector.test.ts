import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DetectorOptions, openDetector } from './detector.ts'
import { tinyBoxModel, tinyHeatModel } from './fixtures/onnx.ts'
import { picture } from './fixtures/pictures.ts'
import { tinyCard } from './fixtures/tiny.ts'
import { BadPicture, type Detector, DetectorUnavailable } from './port.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const GREY = [90, 90, 90] as const
const RED = [250, 20, 20] as const

let folder: string
/** Closed after each test: one that is down tries again and again. */
const open: Detector[] = []
async function opened(options: DetectorOptions): Promise<Detector> {
  const detector = await openDetector({ workers: 1, ...options })
  open.push(detector)
  return detector
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-model-'))
})
afterEach(async () => void (await Promise.all(open.splice(0).map((detector) => detector.close()))))
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function heatFolder(change: object = {}, bytes = tinyHeatModel(96)): Promise<string> {
  const home = await mkdtemp(join(folder, 'heat-'))
  await writeFile(join(home, 'tiny.onnx'), bytes)
  await writeFile(join(home, 'card.json'), JSON.stringify({ ...tinyCard(bytes), ...change }))
  return home
}

describe('our detector', () => {
  let detector: Detector
  beforeAll(async () => {
    detector = await openDetector({ workers: 1, backend: { kind: 'vigil', folder: await heatFolder() } })
  })
  afterAll(() => detector.close())
  // 192 x 96 lies in the 96 x 96 input as rows 24..72; cells are 8 input or 16 picture pixels.
  const failing = () => picture(192, 96, GREY, [{ x: 96, y: 32, w: 32, h: 32, colour: RED }])

  it('is ready and names its model', () => {
    expect(detector).toMatchObject({ kind: 'vigil', model: 'tiny 1' })
    expect(detector.health()).toEqual({ state: 'ready', queued: 0 })
  })
  it('scores high, boxes in pixels of the picture, and a map of the un-padded picture', async () => {
    const seen = await detector.detect(await failing())
    expect(seen.score).toBeGreaterThan(0.99)
    expect(seen.boxes).toHaveLength(1)
    expect(seen.boxes[0]).toMatchObject({ x: 96, y: 32, w: 32, h: 32 })
    expect(seen.heat).toMatchObject({ width: 12, height: 6 })
    expect(seen.heat!.values[2 * 12 + 6]).toBeGreaterThan(250)
    expect(seen.heat!.values[0]).toBeLessThan(5)
    const modelKey = `${sha256(tinyHeatModel(96)).slice(0, 12)} 4 1 0`
    expect(seen).toMatchObject({ width: 192, height: 96, model: 'tiny 1', modelKey })
    expect(seen.quality.thumbnail).toHaveLength(64 * 48)
  })
  it('scores low where nothing is red', async () => {
    const seen = await detector.detect(await picture(192, 96, GREY))
    expect(seen.score).toBeLessThan(0.01)
    expect(seen.boxes).toEqual([])
  })
  it('ignores what the owner outlined', async () => {
    const half = [
      { x: 0.45, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
      { x: 0.45, y: 1 },
    ]
    const seen = await detector.detect(await failing(), { ignore: [half] })
    expect(seen.score).toBeLessThan(0.01)
    expect(seen.boxes).toEqual([])
    expect(Math.max(...seen.heat!.values)).toBeLessThan(5)
  })
  it.each([
    ['nonsense', async () => Buffer.from('not a picture at all')],
    ['nothing', async () => Buffer.alloc(0)],
    ['a cut-off JPEG', async () => (await picture(640, 480, RED, [], 'jpeg')).subarray(0, 900)],
    ['a lying header', async () => Buffer.from('89504e470d0a1a0a0000000d494844520000ffff0000ffff', 'hex')],
  ])('calls %s a bad picture and goes on', async (_, make) => {
    await expect(detector.detect(await make())).rejects.toBeInstanceOf(BadPicture)
    expect((await detector.detect(await failing())).score).toBeGreaterThan(0.9)
  })
  it('outlives pictures that were changed at random', async () => {
    const source = await picture(192, 96, RED, [], 'jpeg')
    let state = 5
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
    const attempts = Array.from({ length: 60 }, () => {
      const bytes = Buffer.from(source)
      for (let n = 0; n < 4; n++) bytes[Math.floor(random() ** 2 * bytes.length)] = Math.floor(random() * 256)
      return detector.detect(bytes).catch((error: unknown) => error)
    })
    for (const told of await Promise.all(attempts)) {
      if (told instanceof Error) expect(told).toBeInstanceOf(BadPicture)
    }
    expect(detector.health().state).toBe('ready')
  })
  it('reads grey, 4-channel and WebP pictures', async () => {
    const webp = await picture(192, 96, GREY, [], 'webp')
    expect(await detector.detect(webp)).toMatchObject({ width: 192 })
    const { default: sharp } = await import('sharp')
    const grey = await sharp(await failing())
      .greyscale()
      .jpeg()
      .toBuffer()
    expect((await detector.detect(grey)).score).toBeLessThan(0.1)
    const clear = await sharp(await failing())
      .ensureAlpha()
      .png()
      .toBuffer()
    expect((await detector.detect(clear)).score).toBeGreaterThan(0.9)
  })
  it('keeps only the newest waiting picture of a printer', async () => {
    const bytes = await failing()
    const [first, second, third, other] = await Promise.all([
      detector.submit('printer 1', bytes),
      detector.submit('printer 1', bytes),
      detector.submit('printer 1', bytes),
      detector.submit('printer 2', bytes),
    ])
    expect([first, second, third, other].map((one) => one.kind)).toEqual([
      'inspected',
      'superseded',
      'inspected',
      'inspected',
    ])
    expect(bytes.length).toBeGreaterThan(0)
  })
})

describe('a model that does not fit', () => {
  it.each([
    ['a wrong hash', () => heatFolder({ sha256: 'ab'.repeat(32) }), /SHA-256/],
    ['a wrong card', () => heatFolder({ stride: 'eight' }), /stride/],
    ['no card', () => Promise.resolve('/nowhere'), /no readable model card/],
    [
      'a grid of another size',
      () => heatFolder({ stride: 16 }),
      /answers float32 \[1,1,12,12\], its card says float32 \[1,1,6,6\]/,
    ],
    [
      'another input',
      () => heatFolder({ input: { width: 64, height: 96, pad: 114 } }),
      /input that its card names/,
    ],
    ['a path that climbs', () => heatFolder({ file: '../tiny.onnx' }), /file/],
  ])('%s leaves the detector down with a sentence', async (_, home, sentence) => {
    const detector = await opened({ backend: { kind: 'vigil', folder: await home() } })
    expect(detector.health()).toMatchObject({ state: 'down', error: expect.stringMatching(sentence) })
    await expect(detector.detect(Buffer.from('x'))).rejects.toBeInstanceOf(DetectorUnavailable)
  })
  it('answers with no number: that is no "looks good"', async () => {
    const home = await heatFolder({}, tinyHeatModel(96, NaN))
    const detector = await opened({ backend: { kind: 'vigil', folder: home } })
    const attempt = detector.detect(await picture(192, 96, GREY))
    await expect(attempt).rejects.toBeInstanceOf(DetectorUnavailable)
  })
  it('is found when it arrives later', async () => {
    const home = await mkdtemp(join(folder, 'late-'))
    const detector = await opened({ backend: { kind: 'vigil', folder: home }, backoffMs: [50, 100] })
    expect(detector.health().state).toBe('down')
    const bytes = tinyHeatModel(96)
    const card = JSON.parse(
      await (await import('node:fs/promises')).readFile(join(await heatFolder(), 'card.json'), 'utf8'),
    ) as object
    await writeFile(join(home, 'tiny.onnx'), bytes)
    await writeFile(join(home, 'card.json'), JSON.stringify(card))
    await expect.poll(() => detector.health().state).toBe('ready')
  })
})

describe('the Obico-shaped detector', () => {
  // Corners of three boxes; the second overlaps the first by more than 0.45, the third stands apart.
  const corners = [0.1, 0.1, 0.5, 0.5, 0.12, 0.1, 0.5, 0.5, 0.6, 0.6, 0.9, 0.8]
  async function obico(height = 64, width = 96): Promise<Detector> {
    const bytes = tinyBoxModel(height, width, corners)
    const path = join(folder, `boxes-${width}.onnx`)
    await writeFile(path, bytes)
    return opened({ backend: { kind: 'obico', path, sha256: sha256(bytes) } })
  }
  it('sums confidences above 0.08 after suppression and scales heights by the height', async () => {
    const detector = await obico()
    const seen = await detector.detect(await picture(320, 100, [204, 102, 51]))
    expect(seen.score).toBeCloseTo(0.8 + 0.2, 2)
    expect(seen.heat).toBeNull()
    expect(seen.boxes).toHaveLength(2)
    const [strong, weak] = seen.boxes
    for (const [key, value] of Object.entries({ x: 32, y: 10, w: 128, h: 40, score: 0.8 })) {
      expect(strong![key as 'x']).toBeCloseTo(value, 2)
    }
    expect(weak!.h).toBeCloseTo(20, 2)
  })
  it('drops what is at or below 0.08, and what lies in an ignored outline', async () => {
    const detector = await obico()
    const dim = await detector.detect(await picture(320, 100, [10, 10, 10]))
    expect(dim).toMatchObject({ score: 0, boxes: [] })
    const all = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
      { x: 0, y: 1 },
    ]
    const bright = await picture(320, 100, [204, 102, 51])
    expect(await detector.detect(bright, { ignore: [all] })).toMatchObject({ score: 0, boxes: [] })
  })
  it('is down when corners and confidences do not belong together', async () => {
    const bytes = tinyBoxModel(64, 96, corners.slice(0, 8))
    const path = join(folder, 'odd.onnx')
    await writeFile(path, bytes)
    const detector = await opened({ backend: { kind: 'obico', path, sha256: sha256(bytes) } })
    expect(detector.health()).toMatchObject({ state: 'down', error: expect.stringContaining('four corners') })
  })
  it('is down when the hash does not fit', async () => {
    const path = join(folder, 'wrong.onnx')
    await writeFile(path, 'not a model')
    const detector = await opened({ backend: { kind: 'obico', path, sha256: '00'.repeat(32) } })
    expect(detector.health()).toMatchObject({ state: 'down', error: expect.stringContaining('SHA-256') })
  })
})
