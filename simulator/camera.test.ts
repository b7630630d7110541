import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { folderCamera, renderingCamera, type Scene } from './camera.ts'
import { vaseGcode } from './gcode.ts'
import { readGcode } from './program.ts'

const program = readGcode(vaseGcode({ layers: 80 }))
const scene = (more: Partial<Scene> = {}): Scene => ({
  program,
  layer: 60,
  nozzle: { x: 110, y: 110, z: 12 },
  isHot: true,
  spilled: null,
  isDetached: false,
  ...more,
})
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function brightness(picture: Buffer): Promise<number> {
  return (await sharp(picture).stats()).channels.reduce((sum, channel) => sum + channel.mean, 0) / 3
}

/** How many of a thousand pixels differ clearly, noise smoothed away. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [left, right] = await Promise.all(
    [a, b].map((one) => sharp(one).greyscale().blur(2).raw().toBuffer()),
  )
  let sum = 0
  for (let i = 0; i < (left?.length ?? 0); i++)
    if (Math.abs((left?.[i] ?? 0) - (right?.[i] ?? 0)) > 18) sum += 1
  return (sum * 1000) / (left?.length ?? 1)
}

test('a picture is a JPEG of a webcam and never twice the same', async () => {
  const camera = renderingCamera(1)
  const [one, two] = [await camera.snapshot(scene()), await camera.snapshot(scene())]
  expect(await sharp(one).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 })
  expect(one.equals(two)).toBe(false)
})

test('growth and a mess can be seen, and the mess grows', async () => {
  const camera = renderingCamera(2)
  const low = await camera.snapshot(scene({ layer: 5 }))
  const high = await camera.snapshot(scene({ layer: 80 }))
  const mess = await camera.snapshot(scene({ layer: 5, spilled: 20 }))
  const bigMess = await camera.snapshot(scene({ layer: 5, spilled: 240 }))
  const still = await difference(low, await camera.snapshot(scene({ layer: 5 })))
  expect(still).toBeLessThan(1)
  expect(await difference(low, high)).toBeGreaterThan(5)
  expect(await difference(low, mess)).toBeGreaterThan(3)
  expect(await difference(low, bigMess)).toBeGreaterThan(2 * (await difference(low, mess)))
})

test('a frozen camera repeats itself, a dark one sees nothing', async () => {
  const camera = renderingCamera(3)
  const before = await camera.snapshot(scene())
  camera.freeze(true)
  expect((await camera.snapshot(scene({ layer: 80 }))).equals(before)).toBe(true)
  camera.freeze(false)
  camera.darken(true)
  expect(await brightness(await camera.snapshot(scene()))).toBeLessThan(12)
  camera.darken(false)
  expect(await brightness(await camera.snapshot(scene()))).toBeGreaterThan(30)
})

test('a folder is played in name order and stays at its last picture', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-pictures-'))
  folders.push(folder)
  const flat = (level: number): Sharp => {
    const background = { r: level, g: level, b: level }
    return sharp({ create: { width: 32, height: 24, channels: 3, background } })
  }
  await writeFile(join(folder, 'b.png'), await flat(120).png().toBuffer())
  await writeFile(join(folder, 'a.jpg'), await flat(20).jpeg().toBuffer())
  await writeFile(join(folder, 'c.jpg'), await flat(220).jpeg().toBuffer())
  await writeFile(join(folder, 'notes.txt'), 'no picture')
  const camera = folderCamera(folder, false)
  const seen: number[] = []
  for (const moveOn of [true, false, true, true, true])
    seen.push(Math.round((await brightness(await camera.snapshot(scene(), moveOn))) / 20) * 20)
  expect(seen).toEqual([20, 120, 120, 220, 220])
})
