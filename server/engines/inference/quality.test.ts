import { describe, expect, it } from 'vitest'
import {
  type Condition,
  conditionOf,
  followPicture,
  type PictureHistory,
  type Quality,
  sharpnessOf,
  thumbnailOf,
} from './quality.ts'
import { paint } from './fixtures/pictures.ts'
import { scene } from './fixtures/scene.ts'
import { THUMB_HEIGHT, THUMB_WIDTH } from './view.ts'

/** A box blur of the given radius, several times: a badly focused lens. */
function blurred(thumbnail: Uint8Array, radius: number): Uint8Array {
  let now = Float32Array.from(thumbnail)
  for (let pass = 0; pass < 3; pass++) {
    now = now.map((_, i) => {
      const [x, y] = [i % THUMB_WIDTH, Math.floor(i / THUMB_WIDTH)]
      let [sum, n] = [0, 0]
      for (let ny = Math.max(0, y - radius); ny <= Math.min(THUMB_HEIGHT - 1, y + radius); ny++) {
        for (let nx = Math.max(0, x - radius); nx <= Math.min(THUMB_WIDTH - 1, x + radius); nx++) {
          sum += now[ny * THUMB_WIDTH + nx]!
          n++
        }
      }
      return sum / n
    })
  }
  return Uint8Array.from(now)
}

const quality = (thumbnail: Uint8Array, hash: string): Quality => ({
  thumbnail,
  hash,
  condition: conditionOf(thumbnail),
})

/** Plays thumbnails 10 s apart and lists the conditions. */
function follow(thumbnails: Uint8Array[], hashOf = (i: number) => `#${i}`): (Condition | null)[] {
  let history: PictureHistory | null = null
  return thumbnails.map((thumbnail, i) => {
    const told = followPicture(history, quality(thumbnail, hashOf(i)), i * 10_000, 10_000)
    history = told.history
    return told.condition
  })
}
const live = (count: number, change: object = {}, from = 0) =>
  Array.from({ length: count }, (_, i) => scene({ ...change, seed: from + i + 1, head: 12 + ((i * 5) % 40) }))

describe('one picture', () => {
  it.each<[string, Uint8Array, Condition | null]>([
    ['an ordinary one', scene(), null],
    ['a dim one, as at night with a lamp', scene({ gain: 0.35 }), null],
    ['infrared, low contrast', scene({ gain: 0.25 }).map((level) => level + 60), null],
    ['lights out', scene({ gain: 0.03 }), 'dark'],
    ['black', new Uint8Array(3072), 'dark'],
    ['blown out', scene().map((level) => Math.min(255, level + 230)), 'blown_out'],
    ['a lens with a cap', new Uint8Array(3072).fill(120), 'covered'],
    ['out of focus', blurred(scene(), 5), 'blurred'],
    ['a little soft', blurred(scene(), 1), null],
  ])('%s', (_, thumbnail, condition) => {
    expect(conditionOf(thumbnail)).toBe(condition)
  })
  it('is made small by means', () => {
    const rgb = paint(640, 480, [10, 20, 30], [{ x: 0, y: 0, w: 320, h: 480, colour: [255, 255, 255] }])
    const small = thumbnailOf(rgb, 640, 480)
    expect([small[0], small[31], small[32], small[63]]).toEqual([255, 255, 18, 18])
    expect(thumbnailOf(paint(3, 2, [9, 9, 9]), 3, 2)).toHaveLength(3072)
  })
})

describe('sharpness', () => {
  const stripes = (width: number, height: number, soft: number) => {
    const rgb = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) {
      const x = (i % width) / width
      rgb.fill(128 + 90 * Math.tanh(Math.sin(x * 60) * soft), 3 * i, 3 * i + 3)
    }
    return sharpnessOf(rgb, width, height)
  }
  it('falls when edges get wide, whatever the size of the picture', () => {
    for (const [width, height] of [
      [640, 480],
      [1280, 960],
    ] as const) {
      expect(stripes(width, height, 2)).toBeLessThan(0.6 * stripes(width, height, 12))
    }
  })
  it('is a number for the smallest and flattest pictures', () => {
    expect(sharpnessOf(new Uint8Array(3), 1, 1)).toBe(0)
    expect(sharpnessOf(new Uint8Array(640 * 480 * 3).fill(90), 640, 480)).toBe(0)
  })
})

describe('a camera over time', () => {
  it('that lives is fine for hours, head and light moving', () => {
    const day = live(200).concat(live(100, { gain: 0.6 }, 500))
    expect(new Set(follow(day))).toEqual(new Set([null]))
  })
  it('is frozen when the very same bytes come three times over two intervals', () => {
    const still = scene()
    expect(follow([scene({ seed: 9 }), still, still, still], (i) => (i ? 'same' : 'first'))).toEqual([
      null,
      null,
      null,
      'same_picture',
    ])
  })
  it('is not frozen when the same picture comes three times at once', () => {
    const still = quality(scene(), 'same')
    let history: PictureHistory | null = null
    for (let i = 0; i < 3; i++) {
      const told = followPicture(history, still, i * 100, 10_000)
      history = told.history
      expect(told.condition).toBeNull()
    }
  })
  it('is frozen when six pictures differ by nothing but their encoding', () => {
    const told = follow(Array.from({ length: 7 }, () => scene()))
    expect(told).toEqual([null, null, null, null, null, 'same_picture', 'same_picture'])
  })
  it('is fine again with the first live picture', () => {
    const still = scene()
    const told = follow([still, still, still, scene({ seed: 5 })], (i) => (i < 3 ? 'same' : 'new'))
    expect(told.at(-1)).toBeNull()
  })
  it('that was knocked is said to be moved after six pictures, and accepted after five minutes', () => {
    const told = follow(live(30).concat(live(40, { dx: 9, dy: 7 }, 100)))
    expect(told.slice(0, 35).every((one) => one === null)).toBe(true)
    expect(told[35]).toBe('moved')
    expect(told.at(-1)).toBeNull()
  })
  it('before which something soft and large stands is covered', () => {
    const cloth = (i: number) => blurred(scene({ seed: i, dx: 17, dy: 11, gain: 0.7 }), 4)
    const told = follow(live(30).concat(Array.from({ length: 8 }, (_, i) => cloth(i + 1))))
    expect(['covered', 'blurred']).toContain(told.at(-1))
  })
  it('at the edge of darkness does not flicker between seen and unseen', () => {
    const gains = Array.from({ length: 40 }, (_, i) => 0.13 + (i % 2 ? 0.008 : -0.008))
    const told = follow(
      gains.map((gain, i) => scene({ gain, noise: 0.2, seed: i + 1, head: 12 + ((i * 5) % 40) })),
    )
    const changes = told.filter((one, i) => i > 0 && one !== told[i - 1]).length
    expect(told).toContain('dark')
    expect(changes).toBeLessThanOrEqual(1)
    expect(follow([scene({ gain: 0.1 }), scene({ gain: 0.3, seed: 2 })])).toEqual(['dark', null])
  })
  it('one strange picture is nothing', () => {
    const told = follow([...live(30), scene({ dx: 20, dy: 13, seed: 77 }), ...live(5, {}, 60)])
    expect(new Set(told)).toEqual(new Set([null]))
  })
})
