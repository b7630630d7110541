import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { readDimensions } from '../../lib/jpeg.ts'
import { picture } from './fixtures/pictures.ts'
import { drawBoxes } from './draw.ts'
import { BadPicture, type BoxTone } from './port.ts'
import { closeReencoder, reencode } from './reencode.ts'

afterAll(closeReencoder)

describe('re-encoding', () => {
  it('makes a JPEG of a PNG and keeps its size', async () => {
    const made = await reencode(await picture(1296, 700, [10, 200, 30]))
    expect(readDimensions(made)).toEqual({ format: 'jpeg', width: 1296, height: 700 })
  })
  it('fits what is longer than 1296 into 1280 x 960 and drops metadata', async () => {
    const wide = await sharp(await picture(1920, 1080, [10, 200, 30], [], 'jpeg'))
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toBuffer()
    const made = await reencode(wide)
    expect(readDimensions(made)).toEqual({ format: 'jpeg', width: 1280, height: 720 })
    expect(made.includes('secret place')).toBe(false)
    const tall = await reencode(await picture(1000, 2000, [10, 200, 30], [], 'webp'))
    expect(readDimensions(tall)).toEqual({ format: 'jpeg', width: 480, height: 960 })
  })
  it('makes up for a missing end marker, and refuses a picture whose last rows are missing', async () => {
    const whole = await sharp(
      await picture(640, 480, [90, 90, 90], [{ x: 0, y: 400, w: 600, h: 60, colour: [9, 200, 30] }]),
    )
      .jpeg({ quality: 95 })
      .toBuffer()
    const made = await reencode(whole.subarray(0, -2))
    expect(readDimensions(made)).toEqual({ format: 'jpeg', width: 640, height: 480 })
    for (const lost of [12, 200, Math.floor(whole.length / 2)])
      await expect(
        reencode(whole.subarray(0, whole.length - lost)),
        `${lost} bytes lost`,
      ).rejects.toBeInstanceOf(BadPicture)
  })
  it('refuses what is no picture, and starts again after it was closed', async () => {
    await expect(reencode(Buffer.from('<svg/>'))).rejects.toBeInstanceOf(BadPicture)
    await closeReencoder()
    await expect(reencode(Buffer.alloc(0))).rejects.toBeInstanceOf(BadPicture)
  })
})

describe('drawing', () => {
  it('frames the boxes and leaves the rest, at the same size', async () => {
    const grey = await picture(640, 480, [90, 90, 90])
    const made = await drawBoxes(grey, {
      boxes: [{ x: 100, y: 100, w: 200, h: 120, score: 0.9 }],
      tone: 'failing',
    })
    const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([640, 480])
    const at = (x: number, y: number) => data[(y * 640 + x) * 3]!
    expect(at(101, 160)).toBeGreaterThan(180)
    expect(at(298, 160)).toBeGreaterThan(180)
    expect(at(200, 101)).toBeGreaterThan(180)
    expect(Math.abs(at(200, 160) - 90)).toBeLessThan(12)
    expect(Math.abs(at(50, 50) - 90)).toBeLessThan(12)
  })
  it('in red or amber only when they mean it, and seen on any ground', async () => {
    const boxes = [{ x: 100, y: 100, w: 200, h: 120, score: 0.9 }]
    const lineOn = async (ground: [number, number, number], tone: BoxTone) => {
      const made = await drawBoxes(await picture(640, 480, ground), { boxes, tone })
      const { data } = await sharp(made).raw().toBuffer({ resolveWithObject: true })
      const row = Array.from({ length: 8 }, (_, i) => [
        ...data.subarray((160 * 640 + 97 + i) * 3).subarray(0, 3),
      ])
      return row as [number, number, number][]
    }
    const spread = (colour: readonly number[]) => Math.max(...colour) - Math.min(...colour)
    expect(Math.max(...(await lineOn([90, 90, 90], 'quiet')).map(spread))).toBeLessThan(30)
    for (const tone of ['doubtful', 'failing'] as const)
      expect(Math.max(...(await lineOn([90, 90, 90], tone)).map(spread))).toBeGreaterThan(120)
    for (const ground of [
      [250, 250, 250],
      [10, 10, 10],
    ] as [number, number, number][]) {
      const lights = (await lineOn(ground, 'quiet')).map(([red]) => red)
      expect(Math.max(...lights) - Math.min(...lights)).toBeGreaterThan(100)
    }
  })
  it('survives boxes that reach out of the picture', async () => {
    const small = await picture(20, 10, [90, 90, 90])
    const boxes = [
      { x: -50, y: -5, w: 500, h: 500, score: 0.3 },
      { x: 30, y: 30, w: 5, h: 5, score: 0.3 },
      { x: 3, y: 3, w: 0.2, h: 0.2, score: 0.3 },
    ]
    for (const tone of ['quiet', 'doubtful', 'failing'] as const)
      expect((await drawBoxes(small, { boxes, tone })).length).toBeGreaterThan(0)
  })
})
