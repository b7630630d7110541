import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'

/** Pictures of 640 x 480 that carry the time at which they were drawn, as 48 black or white fields along the top. */
const WIDTH = 640
const HEIGHT = 480
export const FIELD = 13
export const FIELDS = 48
const BAR = 32
/** Where a noisy picture is never the same. */
const NOISE = { from: 300, to: 440 }

/** The camera of the lab. */
export interface Camera {
  /** The most of what it shows is new with each picture, so that an encoder needs all it may have. */
  isNoisy: boolean
}

/** Draws `fps` pictures a second for `take` until the signal. */
export function barcodeCamera(fps: number, signal: AbortSignal, take: (jpeg: Buffer) => void): Camera {
  const camera: Camera = { isNoisy: false }
  const pixels = Buffer.alloc(WIDTH * HEIGHT, 96)
  const noise = pixels.subarray(NOISE.from * WIDTH, NOISE.to * WIDTH)
  let isBusy = false
  let turn = 0
  const draw = async () => {
    if (isBusy) return
    isBusy = true
    try {
      const bits = Date.now().toString(2).padStart(FIELDS, '0')
      for (let i = 0; i < FIELDS; i++)
        for (let y = 0; y < BAR; y++)
          pixels.fill(bits[i] === '1' ? 255 : 0, y * WIDTH + i * FIELD, y * WIDTH + (i + 1) * FIELD)
      // Something moves, as a nozzle does.
      const x = (turn++ * 7) % (WIDTH - 80)
      for (let y = 200; y < 280; y++) {
        pixels.fill(96, y * WIDTH, (y + 1) * WIDTH)
        pixels.fill(200, y * WIDTH + x, y * WIDTH + x + 80)
      }
      if (camera.isNoisy) randomFillSync(noise)
      else noise.fill(96)
      const raw = { width: WIDTH, height: HEIGHT, channels: 1 } as const
      take(await sharp(pixels, { raw }).toColourspace('srgb').jpeg({ quality: 75 }).toBuffer())
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void draw(), 1000 / fps)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return camera
}
