import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { readDimensions } from '../../lib/jpeg.ts'
import { picture } from './fixtures/pictures.ts'
import { BadPicture } from './port.ts'
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
  it('refuses what is no picture, and starts again after it was closed', async () => {
    await expect(reencode(Buffer.from('<svg/>'))).rejects.toBeInstanceOf(BadPicture)
    await closeReencoder()
    await expect(reencode(Buffer.alloc(0))).rejects.toBeInstanceOf(BadPicture)
  })
})
