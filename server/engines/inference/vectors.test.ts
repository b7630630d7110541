import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCard } from './card.ts'
import { openDetector, SHIPPED_MODEL } from './detector.ts'
import { countingCells } from './heat.ts'
import type { Detector } from './port.ts'
import { placeIn } from './resize.ts'

/** Numbers of the Python reference for rendered pictures; see docs/detector.md. */
interface Vectors {
  sha256: string
  tolerance: { score: number; logit: number }
  vectors: {
    file: string
    width: number
    height: number
    placement: { left: number; top: number; width: number; height: number }
    cellsInside: number
    score: number
    /** xc, yc, w, h, p, relative to the picture. */
    boxes: [number, number, number, number, number][]
  }[]
}

const folder = join(SHIPPED_MODEL, 'vectors')
const path = join(folder, 'vectors.json')
const isShipped = existsSync(path)
const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))
const shared = isShipped ? (read(path) as Vectors) : null

describe.skipIf(!isShipped)('the shipped model', () => {
  const card = isShipped ? parseCard(read(join(SHIPPED_MODEL, 'card.json'))) : null
  let detector: Detector
  beforeAll(async () => {
    detector = await openDetector({ backend: { kind: 'vigil', folder: SHIPPED_MODEL }, workers: 1 })
  })
  afterAll(() => detector.close())

  it('loads, and the vectors are its own', () => {
    expect(detector.health()).toEqual({ state: 'ready', queued: 0 })
    expect(shared!.sha256).toBe(card!.sha256)
  })
  it.each(shared?.vectors ?? [])('sees $file as the reference does', async (row) => {
    const { width, height, stride } = { ...card!.input, stride: card!.stride }
    expect(placeIn(row.width, row.height, width, height)).toEqual(row.placement)
    const grid = { width: width / stride, height: height / stride, stride, values: new Float32Array(0) }
    expect(countingCells(grid, row.placement).filter(Boolean)).toHaveLength(row.cellsInside)

    const seen = await detector.detect(readFileSync(join(folder, row.file)))
    expect(seen).toMatchObject({ width: row.width, height: row.height })
    expect(Math.abs(seen.score - row.score)).toBeLessThan(shared!.tolerance.score)
    const boxes = seen.boxes.map(({ x, y, w, h, score }) => {
      return [(x + w / 2) / row.width, (y + h / 2) / row.height, w / row.width, h / row.height, score]
    })
    expect(boxes.length).toBe(row.boxes.length)
    boxes.flat().forEach((value, i) => expect(value).toBeCloseTo(row.boxes.flat()[i]!, 1))
  })
})
