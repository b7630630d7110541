/** JPEGs that arrived damaged, against those that only look odd; the bytes are a rendered webcam's (simulator). */
import { beforeAll, describe, expect, it } from 'vitest'
import { renderingCamera } from '@vigil/simulator/camera.ts'
import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { readGcode } from '@vigil/simulator/program.ts'
import { stripJpeg } from '../../lib/jpeg.ts'
import { decode, reencode } from './decode.ts'
import { BadPicture } from './port.ts'

/** A JFIF segment of a revision that there is not. */
const JFIF_2 = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 2, 1, 0, 0, 1, 0, 1, 0, 0]

let whole: Buffer
/** Where the picture's coded data begin, where half of them are over, and where the end marker stands. */
let scan: number
let half: number
let end: number

beforeAll(async () => {
  const program = readGcode(vaseGcode({ layers: 80 }))
  whole = await renderingCamera(4).snapshot({
    program,
    layer: 40,
    nozzle: { x: 110, y: 120, z: 10 },
    isHot: true,
    spilled: null,
    isDetached: false,
  })
  const start = whole.indexOf(Buffer.from([0xff, 0xda]))
  scan = start + 2 + whole.readUInt16BE(start + 2)
  end = whole.lastIndexOf(Buffer.from([0xff, 0xd9]))
  half = (scan + end) >> 1
})

const zeroed = (bytes: Buffer, from: number, count: number) => Buffer.from(bytes).fill(0, from, from + count)
const without = (bytes: Buffer, from: number, count: number) =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + count)])
const withExtra = (bytes: Buffer, at: number, extra: readonly number[]) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(extra), bytes.subarray(at)])

describe('a JPEG that is damaged is refused, end marker or not', () => {
  it.each<[string, () => Buffer]>([
    ['half of it gone, and an end marker set', () => without(whole, half, end - half)],
    ['its last rows gone, and an end marker set', () => without(whole, end - 400, 400)],
    ['a packet lost in the middle', () => without(whole, half, 1000)],
    ['zeroes in the middle', () => zeroed(whole, half, 1000)],
    ['nothing but zeroes', () => zeroed(whole, scan, end - scan)],
    ['no end', () => whole.subarray(0, half)],
  ])('%s', async (_name, make) => {
    const bytes = make()
    await expect(decode(bytes)).rejects.toBeInstanceOf(BadPicture)
    await expect(reencode(bytes)).rejects.toBeInstanceOf(BadPicture)
  })
})

describe('a JPEG that only looks odd is taken as it is', () => {
  it.each<[string, () => Uint8Array]>([
    ['whole', () => whole],
    [
      'bytes too many before its end marker, as many webcams send',
      () => withExtra(whole, end, [0, 0x12, 0x34]),
    ],
    ['fill bytes before its end marker', () => withExtra(whole, end, [0xff, 0xff, 0xff])],
    ['rubbish after its end', () => withExtra(whole, whole.length, [1, 2, 3, 4])],
    ['a JFIF revision of its own, once stripped', () => stripJpeg(withExtra(whole, 2, JFIF_2))],
  ])('%s', async (_name, make) => {
    const { rgb } = await decode(whole)
    expect(Buffer.compare((await decode(make())).rgb, rgb)).toBe(0)
  })
})
