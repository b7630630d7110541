/** The printer's webcam: JPEG pictures of the growing print, of a print gone wrong, or out of a folder. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { partSvg, type Pose } from './camera-part.ts'
import { bedSvg, gantrySvg, roomSvg, svg } from './camera-scene.ts'
import { strandsFor, strandsSvg, type Mess } from './camera-strands.ts'
import { chooseLook, HEIGHT, WIDTH, type Look } from './camera-view.ts'
import { readGcode, type Point, type Program } from './program.ts'
import { seededRandom } from './random.ts'
import type { AgentOptions } from './types.ts'

/** What the camera has in front of it. */
export interface Scene {
  program: Program | null
  /** Layers that came out well. */
  layer: number
  nozzle: Point
  isHot: boolean
  /** Filament in mm that went astray, null while all is well. */
  spilled: number | null
  isDetached: boolean
}

export interface Camera {
  /** The next picture; a folder moves on to its next file only when `moveOn` is true. */
  snapshot: (scene: Scene, moveOn?: boolean) => Promise<Buffer>
  /** A frozen camera gives the same bytes for ever. */
  freeze: (isFrozen: boolean) => void
  /** A dark camera sees noise: somebody put out the light. */
  darken: (isDark: boolean) => void
}

const STRANDS_PER_SHEET = 10
const noise = makeNoise()

/** The camera that an agent's options ask for. */
export function chooseCamera(options: AgentOptions): Camera {
  if (options.pictures) return folderCamera(options.pictures, options.loop)
  const file = options.files[0]
  if (!options.isLight || !options.hasPictures || !file) return renderingCamera(options.seed)
  const nozzle = { x: 120, y: 120, z: 12 }
  const program = readGcode(file.text)
  return sharedCamera({ program, layer: 60, nozzle, isHot: true, spilled: null, isDetached: false })
}

/** A camera that renders its picture. By `now` (ms) the light in the room goes up and down within minutes. */
export function renderingCamera(seed: number, now: () => number = Date.now): Camera {
  const look = chooseLook(seed)
  const random = seededRandom(seed + 77)
  let room: Promise<Buffer> | null = null
  let sheet: { strands: number; picture: Buffer | null } = { strands: 0, picture: null }
  let isDark = false

  const render = async (scene: Scene): Promise<Buffer> => {
    room ??= renderRoom(look)
    const layers = scene.spilled === null ? [] : await messLayers(scene, scene.spilled)
    const over = [
      { input: Buffer.from(svg(standing(look, scene))) },
      ...layers,
      { input: Buffer.from(svg(gantrySvg(look, scene.nozzle, scene.isHot) + trailing(look, scene))) },
    ]
    const pixels = await sharp(await room, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .composite(over)
      .removeAlpha()
      .raw()
      .toBuffer()
    spoil(pixels, random, isDark ? 0.035 : 1 + 0.05 * Math.sin(now() / 60_000 + seed), look.warmth)
    return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .blur(0.5)
      .jpeg({ quality: 80 })
      .toBuffer()
  }

  // What lies there already is kept as one transparent sheet, so that only new strands are drawn.
  const messLayers = async (scene: Scene, spilled: number): Promise<{ input: Buffer }[]> => {
    const strands = strandsFor(spilled)
    const mess = messOf(scene)
    if (strands < sheet.strands) sheet = { strands: 0, picture: null }
    while (sheet.strands + STRANDS_PER_SHEET <= strands) {
      const next = sheet.strands + STRANDS_PER_SHEET
      const ink = Buffer.from(svg(strandsSvg(look, mess, sheet.strands, next)))
      const drawn = sharp(sheet.picture ?? ink)
      if (sheet.picture) drawn.composite([{ input: ink }])
      sheet = { strands: next, picture: await drawn.png({ compressionLevel: 1 }).toBuffer() }
    }
    const fresh = { input: Buffer.from(svg(strandsSvg(look, mess, sheet.strands, strands))) }
    return sheet.picture ? [{ input: sheet.picture }, fresh] : [fresh]
  }

  return freezable(render, (dark) => {
    isDark = dark
  })
}

/** A camera that plays the pictures of a folder in name order and stays at the last one, or begins again with `loop`. */
export function folderCamera(folder: string, loop: boolean): Camera {
  let names: Promise<string[]> | null = null
  let next = 0
  const show = async (_scene: Scene, moveOn: boolean): Promise<Buffer> => {
    names ??= readdir(folder).then((all) =>
      all.filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).toSorted(),
    )
    const list = await names
    const name = list[loop ? next % list.length : Math.min(next, list.length - 1)]
    if (!name) throw new Error(`No pictures in ${folder}`)
    if (moveOn) next += 1
    const file = await readFile(join(folder, name))
    return /\.jpe?g$/i.test(name) ? file : sharp(file).jpeg({ quality: 85 }).toBuffer()
  }
  return freezable(show, () => {})
}

let shared: Promise<Buffer> | null = null

/** One picture for everybody, rendered once in this process: for benchmarks. */
function sharedCamera(scene: Scene): Camera {
  shared ??= renderingCamera(1).snapshot(scene)
  const picture = shared
  return freezable(
    () => picture,
    () => {},
  )
}

function freezable(
  take: (scene: Scene, moveOn: boolean) => Promise<Buffer>,
  darken: (isDark: boolean) => void,
): Camera {
  let last: Buffer | null = null
  let isFrozen = false
  return {
    darken,
    freeze: (frozen) => {
      isFrozen = frozen
    },
    snapshot: async (scene, moveOn = false) => {
      if (!isFrozen || !last) last = await take(scene, moveOn)
      return last
    },
  }
}

async function renderRoom(look: Look): Promise<Buffer> {
  const behind = await sharp(Buffer.from(roomSvg(look)))
    .blur(7)
    .removeAlpha()
    .raw()
    .toBuffer()
  return sharp(behind, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .composite([{ input: Buffer.from(bedSvg(look)) }])
    .removeAlpha()
    .raw()
    .toBuffer()
}

function standing(look: Look, scene: Scene): string {
  if (!scene.program) return ''
  const pose: Pose = scene.isDetached
    ? { dx: 34, dy: -30, isTipped: true }
    : { dx: 0, dy: 0, isTipped: false }
  return partSvg(look, scene.program, scene.layer, pose)
}

/** The strand that still hangs from the nozzle. */
function trailing(look: Look, scene: Scene): string {
  if (scene.spilled === null) return ''
  const mess = { ...messOf(scene), x: scene.nozzle.x, y: scene.nozzle.y - 6 }
  return strandsSvg({ ...look, seed: look.seed + 500 }, { ...mess, top: mess.top * 0.6 + 4 }, 2, 5)
}

function messOf(scene: Scene): Mess {
  const program = scene.program
  const top = scene.isDetached ? 3 : (program?.layers[Math.max(0, scene.layer - 1)]?.z ?? 0)
  return { x: program?.centre.x ?? 110, y: program?.centre.y ?? 110, top }
}

function makeNoise(): Int8Array {
  const random = seededRandom(4242)
  return Int8Array.from({ length: 1 << 20 }, () => Math.round((random() + random() + random() - 1.5) * 9))
}

function spoil(pixels: Buffer, random: () => number, gain: number, warmth: number): void {
  let at = Math.floor(random() * noise.length)
  const flicker = gain * (0.985 + random() * 0.03)
  const [red, green, blue] = [flicker * (0.97 + warmth * 0.08), flicker, flicker * (1.05 - warmth * 0.12)]
  const mask = noise.length - 1
  for (let i = 0; i + 2 < pixels.length; i += 3) {
    const grain = noise[(at += 1) & mask] ?? 0
    pixels[i] = clamp((pixels[i] ?? 0) * red + grain + (noise[(at + 7919) & mask] ?? 0) * 0.4)
    pixels[i + 1] = clamp((pixels[i + 1] ?? 0) * green + grain)
    pixels[i + 2] = clamp((pixels[i + 2] ?? 0) * blue + grain + (noise[(at + 104729) & mask] ?? 0) * 0.4)
  }
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}
