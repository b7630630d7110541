import { describe, expect, it } from 'vitest'
import { readComments } from './comments.ts'
import { decodeQoi, decodeRgb565 } from './raster.ts'
import { thumbnailsOf } from './thumbnails.ts'

const found = (text: string) => thumbnailsOf(readComments(text).lines)
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 9])
/** Two by two: red, the same again, a difference, an index; written by hand from qoiformat.org. */
const QOI = Buffer.from([
  0x71,
  0x6f,
  0x69,
  0x66,
  0,
  0,
  0,
  2,
  0,
  0,
  0,
  2,
  4,
  0,
  0xff,
  200,
  10,
  20,
  128,
  0xc0,
  0b01_10_10_11,
  0x00 + ((200 * 3 + 10 * 5 + 20 * 7 + 128 * 11) % 64),
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
])

function block(data: Buffer, tag = 'thumbnail'): string {
  const rows = data.toString('base64').match(/.{1,8}/g) ?? []
  return [
    `; ${tag} begin 32x32 ${rows.join('').length}`,
    ...rows.map((row) => `; ${row}`),
    `; ${tag} end`,
  ].join('\n')
}

describe('pictures in a file', () => {
  it('are found in every way that slicers write them', () => {
    const rows = ';00020001\r\n;f800001f\r\n; bigtree thumbnail end\r\n'
    const inline = `;Thumbnail: data:image/png;base64,${PNG.toString('base64')}`
    const all = found(
      [
        '; THUMBNAIL_BLOCK_START',
        block(PNG),
        block(JPEG, 'thumbnail_JPG'),
        block(QOI, 'thumbnail_QOI'),
        inline,
        rows,
        'G28',
      ].join('\n'),
    )
    expect(all.map(({ kind }) => kind)).toEqual(['png', 'jpeg', 'qoi', 'png', 'rgb565'])
    expect(Buffer.from(all[2]?.data ?? [])).toEqual(QOI)
  })
  it('that never end, are no pictures or too many are left out', () => {
    expect(found(block(PNG).replace('; thumbnail end', ''))).toEqual([])
    expect(found(block(Buffer.from('<svg onload=alert(1)>')))).toEqual([])
    expect(found(';ffffffff\n;00\n; bigtree thumbnail end')).toEqual([])
    expect(found(Array.from({ length: 100 }, () => block(PNG)).join('\n'))).toHaveLength(20)
  })
})

describe('pixels', () => {
  it('of QOI', () => {
    const { width, height, rgba } = decodeQoi(QOI)
    expect({ width, height, pixels: [...rgba] }).toEqual({
      width: 2,
      height: 2,
      pixels: [200, 10, 20, 128, 200, 10, 20, 128, 200, 10, 21, 128, 200, 10, 20, 128],
    })
  })
  it('of QOI that is cut or lies about its size are refused', () => {
    expect(() => decodeQoi(QOI.subarray(0, 16))).toThrow('cut')
    expect(() => decodeQoi(QOI.subarray(0, 10))).toThrow('no QOI')
    const huge = Buffer.from(QOI)
    huge.writeUInt32BE(0xffffffff, 4)
    expect(() => decodeQoi(huge)).toThrow('odd size')
  })
  it('of rows', () => {
    expect([...decodeRgb565(Buffer.from('f800001f0000ffff', 'hex'), 2, 2).rgba]).toEqual([
      255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255,
    ])
  })
})
