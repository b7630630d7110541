import { describe, expect, it } from 'vitest'
import { paint } from './fixtures/pictures.ts'
import { letterbox, placeIn, stretch } from './resize.ts'

const gradient = (width: number, height: number) => ({
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37 + (i >> 3) * 11) % 256),
})

describe('the letterbox', () => {
  it.each([
    [640, 480, { left: 0, top: 52, width: 416, height: 312 }],
    [480, 640, { left: 52, top: 0, width: 312, height: 416 }],
    [1920, 1080, { left: 0, top: 91, width: 416, height: 234 }],
    [10_000, 3, { left: 0, top: 207, width: 416, height: 1 }],
  ])('places %i x %i', (width, height, place) => {
    expect(placeIn(width, height, 416, 416)).toEqual(place)
  })
  it('pads with the pad level and keeps a flat picture flat', () => {
    const { input } = letterbox({ rgb: paint(64, 16, [255, 0, 51]), width: 64, height: 16 }, 32, 32, 114)
    const plane = 32 * 32
    expect(input[0]).toBeCloseTo(114 / 255)
    expect([input[16 * 32], input[plane + 16 * 32], input[2 * plane + 16 * 32]]).toEqual([
      1,
      0,
      Math.fround(0.2),
    ])
  })
  it('takes whole-block means when the picture is at least twice too large', () => {
    const source = gradient(16, 16)
    const { input } = letterbox(source, 4, 4, 0)
    let sum = 0
    for (let y = 0; y < 4; y++) for (let x = 0; x < 4; x++) sum += source.rgb[(y * 16 + x) * 3]!
    expect(input[0]).toBeCloseTo(sum / 16 / 255, 6)
  })
})

describe('the stretch', () => {
  it('leaves a picture of the same size as it is', () => {
    const source = gradient(12, 9)
    const input = stretch(source, 12, 9)
    for (let i = 0; i < 12 * 9; i++) expect(Math.round(input[i]! * 255)).toBe(source.rgb[3 * i])
  })
  it('equals cv2.resize INTER_LINEAR within a grey level', () => {
    // cv2 4.12: resize of [[0, 100, 200], [50, 150, 250]] (one channel) to 4 x 3.
    const levels = [0, 100, 200, 50, 150, 250]
    const rgb = Uint8Array.from(levels.flatMap((level) => [level, level, level]))
    const input = stretch({ rgb, width: 3, height: 2 }, 4, 3)
    const cv2 = [0, 62, 137, 200, 25, 88, 163, 225, 50, 112, 187, 250]
    cv2.forEach((level, i) => expect(Math.abs(input[i]! * 255 - level)).toBeLessThan(1.001))
  })
})
