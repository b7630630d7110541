import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { boxTriangles, stlOf } from '../../test/meshes.ts'
import { writeStl } from '../../lib/mesh/stl.ts'
import { openSlicer } from './index.ts'

const isThere = spawnSync('prusa-slicer', ['--help']).status === 0
if (!isThere && process.env['CI'] === 'true') throw new Error('CI needs prusa-slicer: apt-get install it.')

const stop = new AbortController()
const config = { SLICER_PROGRAM: undefined, SLICER_PROFILES: undefined, dataFolder: '/nowhere' }
const slicer = openSlicer({ stopping: stop.signal, config })
const BED = 'bed_shape = 0x0,220x0,220x220,0x220\nskirts = 0\n'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Slices these meshes; what comes of it, and what it told meanwhile. */
async function sliced(
  meshes: readonly Uint8Array[],
  { settings = BED, mostBytes = 64 * 1_048_576, timeMs = 60_000, signal = new AbortController().signal } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-slice-'))
  folders.push(folder)
  const paths = meshes.map((_, i) => join(folder, `${i}.stl`))
  for (const [i, path] of paths.entries()) await writeFile(path, meshes[i]!)
  const shares: number[] = []
  const work = { folder, meshes: paths, settings, mostBytes }
  const options = { signal, timeMs, onProgress: (share: number) => void shares.push(share) }
  const made = await slicer.slice(work, options).then(
    (path) => ({ path, why: null }),
    (error: { why: string }) => ({ path: null, why: error.why }),
  )
  return { ...made, shares, folder }
}

/** A box that stands there, its middle at `x`. */
function boxAt(x: number, size: number): Uint8Array {
  const corners = boxTriangles(size).map((value, i) => (i % 3 < 2 ? value + x - size / 2 : value))
  return writeStl(new Float32Array(corners))
}

/** Long work of few triangles. */
const SLOW = `${BED}layer_height = 0.05\nfirst_layer_height = 0.05\nfill_density = 60%\nfill_pattern = gyroid\n`

describe.skipIf(!isThere)('PrusaSlicer of the system', () => {
  it('says which it is; none is null', async () => {
    expect(await slicer.version()).toMatch(/^PrusaSlicer \d+\.\d+/)
    const none = openSlicer({
      stopping: stop.signal,
      config: { ...config, SLICER_PROGRAM: '/no/such/slicer' },
    })
    expect(await none.version()).toBeNull()
  })

  it('prints what it is given where it stands, and says how far it is', async () => {
    const { path, shares } = await sliced([boxAt(60, 20), boxAt(150, 10)])
    const gcode = await readFile(path!, 'utf8')
    const places = [...gcode.matchAll(/^G1 X([\d.]+) Y[\d.]+ E/gm)].map((move) => Number(move[1]))
    expect(Math.min(...places)).toBeGreaterThan(50)
    expect(Math.max(...places)).toBeLessThan(155)
    expect(places.some((x) => x > 70 && x < 145)).toBe(false)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.length).toBeGreaterThan(2)
  })

  it.each([
    ['a mesh thinner than a layer', [stlOf(boxTriangles(20, 20, 0.05))], BED, 'noLayers'],
    [
      'a vase of two',
      [boxAt(60, 20), boxAt(150, 20)],
      `${BED}spiral_vase = 1\nperimeters = 1\ntop_solid_layers = 0\nfill_density = 0%\n`,
      'vaseAlone',
    ],
    [
      'one after the other, too close',
      [boxAt(60, 20), boxAt(85, 20)],
      `${BED}complete_objects = 1\n`,
      'tooClose',
    ],
    ['layers higher than the nozzle', [boxAt(60, 20)], `${BED}layer_height = 0.9\n`, 'layerTooHigh'],
    [
      'a pattern that cannot fill all',
      [boxAt(60, 20)],
      `${BED}fill_density = 100%\nfill_pattern = gyroid\n`,
      'fillFull',
    ],
    ['a number out of range', [boxAt(60, 20)], `${BED}support_material_threshold = 95\n`, 'outOfRange'],
    ['no mesh at all', [Buffer.from('no mesh')], BED, 'badMesh'],
  ] as const)('%s is refused, and why is known', async (_, meshes, settings, why) => {
    expect((await sliced(meshes, { settings })).why).toBe(why)
  })

  it('a setting of a word that it does not know is refused, not replaced', async () => {
    expect((await sliced([boxAt(60, 20)], { settings: `${BED}fill_pattern = bricks\n` })).path).toBeNull()
  })

  it('ends when its time is up, when its file gets too large, and when nobody wants it', async () => {
    expect((await sliced([boxAt(110, 150)], { settings: SLOW, timeMs: 1_000 })).why).toBe('tooLong')
    const large = await sliced([boxAt(60, 50)], {
      settings: `${BED}fill_density = 60%\n`,
      mostBytes: 200_000,
    })
    expect(large.why).toBe('tooLarge')
    const over = new AbortController()
    const running = sliced([boxAt(110, 150)], { settings: SLOW, signal: over.signal })
    over.abort()
    expect((await running).why).toBe('stopped')
  })

  it('leaves nothing outside its folder, and runs as nobody where it can', async () => {
    const before = await readdir(tmpdir())
    const { folder } = await sliced([boxAt(60, 20)])
    const after = (await readdir(tmpdir())).filter(
      (name) => !before.includes(name) && join(tmpdir(), name) !== folder,
    )
    expect(after.filter((name) => /slic|prusa/i.test(name))).toEqual([])
  })
})
