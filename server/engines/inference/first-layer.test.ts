import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDetector, SHIPPED_LAYER_MODEL, SHIPPED_MODEL } from './detector.ts'
import { judgeLayer, type LayerCard, parseLayerCard } from './first-layer.ts'
import { picture } from './fixtures/pictures.ts'
import { BadPicture, type Detector, DetectorUnavailable, LAYER_ISSUES } from './port.ts'

const CARD: LayerCard = {
  name: 'test',
  version: '1',
  file: 'test.onnx',
  sha256: '0'.repeat(64),
  input: { size: 256, pad: 114 },
  cell: 32,
  top: 2,
  thresholds: Object.fromEntries(LAYER_ISSUES.map((name) => [name, 0.45])),
  notANozzleCam: 0.45,
  lines: { low: 0.1, high: 0.6, share: 0.2 },
}
/** Logits of four cells, each sure of one class (0 sound, 1 gaps, 2 ripples, … 6 no nozzle camera). */
function cells(classes: number[]) {
  const logits = new Float32Array(7 * classes.length)
  classes.forEach((kind, i) => (logits[kind * classes.length + i] = 20))
  return logits
}
const ALL = new Uint8Array([1, 1, 1, 1])

describe('a judged picture', () => {
  test('of a sound layer with even lines is faultless', () => {
    const seen = judgeLayer(cells([0, 0, 0, 0]), ALL, 0.7, CARD)
    expect(seen).toMatchObject({ labels: ['noIssues'], lines: 1, model: 'test 1' })
    expect(seen.score).toBeCloseTo(100, 3)
  })
  test('is as good as its worst cells, and names what it shows', () => {
    expect(judgeLayer(cells([0, 0, 0, 1]), ALL, 0.7, CARD)).toMatchObject({ labels: ['gaps'] })
    const bad = judgeLayer(cells([0, 0, 1, 2]), ALL, 0.7, CARD)
    expect(bad.labels).toEqual(['gaps', 'raisedRipples'])
    expect(bad.score).toBeLessThan(60)
    expect(judgeLayer(cells([1, 1, 0, 0]), ALL, 0.7, CARD).score).toBeCloseTo(59 * 0.2, 3)
  })
  test('loses a fifth of what tells A from B without any lines, and is no picture of a layer where nothing shows', () => {
    expect(judgeLayer(cells([0, 0, 0, 0]), ALL, 0.05, CARD).score).toBeCloseTo(92, 3)
    const dark = judgeLayer(cells([0, 0, 0, 0]), ALL, null, CARD)
    expect(dark).toMatchObject({ lines: null, score: null, labels: ['notANozzleCam'] })
  })
  test('never says no issue with a poor score, nor an issue with a good one', () => {
    /** Four cells that give gaps this probability, and what is left to a sound layer. */
    const leaning = (gaps: number) => {
      const logits = new Float32Array(7 * 4).fill(-30)
      for (let i = 0; i < 4; i++) {
        logits[i] = Math.log(1 - gaps)
        logits[4 + i] = Math.log(gaps)
      }
      return logits
    }
    const scores = [0.01, 0.2, 0.44, 0.46, 0.7, 0.99].map((gaps) =>
      [0.05, 0.7].map((lines) => {
        const { labels, score } = judgeLayer(leaning(gaps), ALL, lines, CARD)
        expect(labels).toEqual(gaps < 0.45 ? ['noIssues'] : ['gaps'])
        if (gaps < 0.45) expect(score).toBeGreaterThanOrEqual(60)
        else expect(score).toBeLessThan(60)
        return score!
      }),
    )
    for (const column of [0, 1]) {
      const falling = scores.map((row) => row[column]!)
      expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    }
  })
  test('of no nozzle camera has no score', () => {
    const seen = judgeLayer(cells([6, 6, 1, 0]), ALL, 0.7, CARD)
    expect(seen).toMatchObject({ score: null, labels: ['notANozzleCam'] })
  })
  test('counts only cells that lie in the picture', () => {
    expect(judgeLayer(cells([1, 6, 0, 0]), new Uint8Array([0, 0, 1, 1]), 0.7, CARD).labels).toEqual([
      'noIssues',
    ])
  })
  test('is refused when the model answers with no number', () => {
    const logits = cells([0, 0, 0, 0])
    logits[3] = NaN
    expect(() => judgeLayer(logits, ALL, 0.7, CARD)).toThrow(DetectorUnavailable)
  })
})

const isShipped = existsSync(join(SHIPPED_LAYER_MODEL, 'card.json'))

interface Vectors {
  sha256: string
  tolerance: { score: number; lines: number; share: number }
  vectors: {
    file: string
    score: number
    lines: number
    labels: string[]
    notANozzleCam: number
    shares: Record<string, number>
  }[]
}

describe.skipIf(!isShipped)('the shipped first-layer model', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(SHIPPED_LAYER_MODEL, name), 'utf8'))
  const { sha256, tolerance, vectors } = (
    isShipped ? read('vectors/vectors.json') : { vectors: [] }
  ) as Vectors
  let detector: Detector
  beforeAll(async () => {
    detector = await openDetector({ backend: { kind: 'vigil', folder: SHIPPED_MODEL }, workers: 1 })
  })
  afterAll(() => detector.close())

  test('has the vectors of its own', () => {
    expect(parseLayerCard(read('card.json')).sha256).toBe(sha256)
  })
  test.each(vectors)('sees $file as the reference does', async (row) => {
    const seen = await detector.detectLayer(readFileSync(join(SHIPPED_LAYER_MODEL, 'vectors', row.file)))
    expect(seen.labels).toEqual(row.labels)
    expect(Math.abs(seen.score! - row.score)).toBeLessThan(tolerance.score)
    expect(Math.abs(seen.lines! - row.lines)).toBeLessThan(tolerance.lines)
    expect(Math.abs(seen.notANozzleCam - row.notANozzleCam)).toBeLessThan(tolerance.share)
    for (const name of LAYER_ISSUES)
      expect(Math.abs(seen.shares[name] - row.shares[name]!)).toBeLessThan(tolerance.share)
  })
  test('refuses what is no picture, and goes on', async () => {
    await expect(detector.detectLayer(Buffer.from('no picture'))).rejects.toThrow(BadPicture)
    await expect(detector.detectLayer(await picture(8, 8, [1, 2, 3]))).rejects.toThrow(BadPicture)
    expect((await detector.detectLayer(await picture(320, 240, [9, 9, 9]))).labels).toEqual(['notANozzleCam'])
  })

  test('is loaded with the first nozzle picture and only when its hash fits; watching goes on without', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vigil-layer-'))
    const options = { backend: { kind: 'vigil', folder: SHIPPED_MODEL } as const, workers: 1 }
    const without = await openDetector({ ...options, layerFolder: folder })
    try {
      const nozzle = await picture(320, 240, [90, 90, 90])
      expect(without.health().state).toBe('ready')
      await expect(without.detectLayer(nozzle)).rejects.toThrow(/no readable model card/)
      await cp(SHIPPED_LAYER_MODEL, folder, { recursive: true })
      const card = read('card.json') as { file: string }
      const model = readFileSync(join(folder, card.file))
      await writeFile(join(folder, card.file), Buffer.concat([model, Buffer.from('x')]))
      await expect(without.detectLayer(nozzle)).rejects.toThrow(/has SHA-256/)
      expect(await without.detect(nozzle)).toMatchObject({ width: 320, height: 240 })
      await writeFile(join(folder, card.file), model)
      expect(await without.detectLayer(nozzle)).toMatchObject({ labels: expect.any(Array) })
    } finally {
      await without.close()
      await rm(folder, { recursive: true })
    }
  })
})
