/** Pictures of a webcam (the simulator's) that go wrong in the ways of docs/detector.md, from JPEG to the name of the condition. */
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { decode, qualityOf } from './decode.ts'
import { liveCamera, livePictures, sceneAt } from './fixtures/live.fixture.ts'
import { type Condition, followPicture, type PictureHistory, type Quality } from './quality.ts'

const STEP = 10_000
const BEFORE = 24
const AFTER = 8

const before: (Condition | null)[] = []
let live: Buffer[]
let dark: Buffer[]
/** What is known of the camera after four minutes of a print that goes well. */
let history: PictureHistory

const looked = new WeakMap<Buffer, Promise<Quality>>()
/** Of each picture once, however often it comes. */
function qualityOfFile(bytes: Buffer): Promise<Quality> {
  const one = looked.get(bytes) ?? decode(bytes).then((pixels) => qualityOf(bytes, pixels))
  looked.set(bytes, one)
  return one
}

/** The conditions told of pictures 10 s apart after those of a good print. */
async function follow(pictures: readonly Buffer[]): Promise<(Condition | null)[]> {
  let now = history
  const told: (Condition | null)[] = []
  for (const [i, bytes] of pictures.entries()) {
    const followed = followPicture(now, await qualityOfFile(bytes), (BEFORE + i + 1) * STEP, STEP)
    now = followed.history
    told.push(followed.condition)
  }
  return told
}

const changed = (change: (picture: Sharp) => Sharp) =>
  Promise.all(live.map((bytes) => change(sharp(bytes)).jpeg({ quality: 80 }).toBuffer()))
const svg = (body: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${body}</svg>`)
const nothing = Array<null>(AFTER).fill(null)
const fromTheSixth = (condition: Condition) => [
  ...Array<null>(5).fill(null),
  ...Array<Condition>(3).fill(condition),
]

beforeAll(async () => {
  const all = await livePictures(BEFORE + AFTER)
  let now: PictureHistory | null = null
  for (const [i, bytes] of all.slice(0, BEFORE).entries()) {
    const quality = await qualityOfFile(bytes)
    const followed = followPicture(now, quality, (i + 1) * STEP, STEP)
    before.push(followed.condition)
    now = followed.history
  }
  history = now!
  live = all.slice(BEFORE)
  const camera = liveCamera(BEFORE)
  camera.darken(true)
  dark = []
  for (let i = 0; i < 3; i++) dark.push(await camera.snapshot(sceneAt(BEFORE + i)))
})

describe('a webcam of a running print', () => {
  it('that goes on is fine', async () => {
    expect(new Set(before)).toEqual(new Set([null]))
    expect(await follow(live)).toEqual(nothing)
  })
  it('is dark as soon as the light is put out, and fine as soon as it is on again', async () => {
    expect(await follow([...dark, ...live])).toEqual(['dark', 'dark', 'dark', ...nothing])
  })
  it('is blown out when everything is white', async () => {
    const told = await follow(await changed((picture) => picture.linear(2, 220)))
    expect(new Set(told)).toEqual(new Set(['blown_out']))
  })
  it('is frozen when the same file comes again and again', async () => {
    const told = await follow(Array<Buffer>(4).fill(live[0]!))
    expect(told).toEqual([null, null, 'same_picture', 'same_picture'])
  })
  it('is blurred when the lens loses its focus, and fine when it has found it', async () => {
    const told = await follow([...(await changed((picture) => picture.blur(4))), ...live])
    expect(told).toEqual([...fromTheSixth('blurred'), ...nothing])
  })
  it('is moved when it was knocked', async () => {
    const knocked = await changed((picture) =>
      picture.extract({ left: 90, top: 50, width: 540, height: 405 }).resize(640, 480),
    )
    expect(await follow(knocked)).toEqual(fromTheSixth('moved'))
  })
  it('is covered by something flat before it, however long it stays, and fine once it is gone', async () => {
    const cloth = svg('<rect width="640" height="410" y="70" fill="#6b6a70"/>')
    const covered = await changed((picture) => picture.composite([{ input: cloth }]))
    const long = Array.from({ length: 40 }, (_, i) => covered[i % AFTER]!)
    const told = await follow([...long, ...live])
    expect(told.slice(5, 40).every((one) => one === 'covered')).toBe(true)
    expect(told.slice(40)).toEqual(nothing)
  })
})

describe('what is not blind', () => {
  it('infrared: grey, another light from the front', async () => {
    const glow = svg(
      '<radialGradient id="g"><stop offset="0" stop-color="#fff" stop-opacity=".35"/><stop offset="1" stop-color="#000" stop-opacity=".45"/></radialGradient><rect width="640" height="480" fill="url(#g)"/>',
    )
    const grey = await changed((picture) =>
      picture
        .greyscale()
        .linear(0.7, 30)
        .composite([{ input: glow }]),
    )
    expect(await follow(grey)).toEqual(nothing)
  })
  it('half the light', async () => {
    expect(await follow(await changed((picture) => picture.linear(0.5, 0)))).toEqual(nothing)
  })
  it('a hand that works before the camera for less than a minute', async () => {
    const hands = await Promise.all(
      live.slice(0, 5).map((bytes, i) => {
        const hand = `<ellipse cx="${250 + 30 * i}" cy="330" rx="130" ry="160" fill="#c8957a"/>`
        return sharp(bytes)
          .composite([{ input: svg(hand) }])
          .jpeg()
          .toBuffer()
      }),
    )
    expect(await follow([...hands, ...live])).toEqual([...Array<null>(5).fill(null), ...nothing])
  })
  it('a head that parks for every picture of a time-lapse', async () => {
    const camera = liveCamera(BEFORE)
    const parked: Buffer[] = []
    for (let i = 0; i < AFTER; i++) {
      parked.push(await camera.snapshot({ ...sceneAt(BEFORE + i), nozzle: { x: 5, y: 215, z: 40 } }))
    }
    expect(await follow(parked)).toEqual(nothing)
  })
})
