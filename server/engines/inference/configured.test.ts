import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BadConfig, readConfig } from '../../config.ts'
import { openConfiguredDetector } from './configured.ts'
import { tinyBoxModel, tinyHeatModel } from './fixtures/onnx.ts'
import { picture } from './fixtures/pictures.ts'
import type { Detector } from './port.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** A file beside this one, as a program of its own imports it. */
const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).pathname)
const RED = [250, 20, 20] as const
const boxes = tinyBoxModel(64, 96, [0.1, 0.1, 0.5, 0.5, 0.6, 0.1, 0.9, 0.5, 0.6, 0.6, 0.9, 0.8])
const server = createServer((_request, response) => response.end(boxes))
const stop = new AbortController()
/** Closed after each test: one that is down tries again and again. */
const open: Detector[] = []
const said: string[] = []
let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vigil-swap-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => void (await Promise.all(open.splice(0).map((detector) => detector.close()))))
afterAll(async () => {
  stop.abort()
  server.close()
  await rm(home, { recursive: true, force: true })
})

/** The detector that these settings open. */
async function opened(env: Record<string, string>): Promise<Detector> {
  const config = readConfig({ VIGIL_DATA: home, DETECTOR_WORKERS: '1', ...env })
  const log = { warn: (fields: object, text: string) => said.push(JSON.stringify(fields) + text) }
  const detector = await openConfiguredDetector(config, stop.signal, log as never)
  open.push(detector)
  return detector
}

async function modelFolder(name: string, card: object): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder)
  const bytes = tinyHeatModel(96)
  await writeFile(join(folder, 'mine.onnx'), bytes)
  const whole = {
    name: 'mine',
    version: '7',
    file: 'mine.onnx',
    sha256: sha256(bytes),
    input: { width: 96, height: 96, pad: 114 },
    stride: 8,
    score: { kind: 'topk-mean-logit', k: 4, a: 1, b: 0 },
    box: { threshold: 0.5, minCells: 2 },
    ...card,
  }
  await writeFile(join(folder, 'card.json'), JSON.stringify(whole))
  return folder
}

describe('swapping the model is a setting', () => {
  it('without one, the model that ships looks', async () => {
    expect(await opened({})).toMatchObject({ kind: 'vigil', model: expect.stringContaining('vigil-strands') })
  })
  it('is known to load, but is held from the first picture on only', () => {
    const program = `
      import { readFileSync } from 'node:fs'
      import { readConfig } from ${here('../../config.ts')}
      import { openConfiguredDetector } from ${here('./configured.ts')}
      import { picture } from ${here('./fixtures/pictures.ts')}
      const isHeld = () => readFileSync('/proc/self/maps', 'utf8').includes('libonnxruntime')
      const config = readConfig({ VIGIL_DATA: process.argv[1] })
      const detector = await openConfiguredDetector(config, new AbortController().signal, console)
      const before = { state: detector.health().state, model: detector.model, isHeld: isHeld() }
      const { model } = await detector.detect(await picture(64, 48, [250, 20, 20]))
      console.log(JSON.stringify({ before, model, isHeld: isHeld() }))
      await detector.close()
    `
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program, home], {
      encoding: 'utf8',
    })
    const { before, model, isHeld } = JSON.parse(said) as Record<string, unknown>
    expect(before).toEqual({ state: 'ready', model, isHeld: false })
    expect([model, isHeld]).toEqual([expect.stringContaining('vigil-strands'), true])
  })
  it('a folder with a card and its model', async () => {
    const detector = await opened({ DETECTOR_MODEL_FOLDER: await modelFolder('good', {}) })
    expect(detector).toMatchObject({ kind: 'vigil', model: 'mine 7' })
    expect((await detector.detect(await picture(96, 96, RED))).score).toBeGreaterThan(0.9)
  })
  it('a model that is not the one of its card is refused, and both hashes are told', async () => {
    const folder = await modelFolder('swapped', { sha256: 'ab'.repeat(32) })
    const detector = await opened({ DETECTOR_MODEL_FOLDER: folder })
    const error = detector.health().error ?? ''
    expect(error).toContain(`expected ${'ab'.repeat(32)}`)
    expect(error).toContain(sha256(tinyHeatModel(96)))
    expect(said.at(-1)).toContain('prints are not watched')
  })
  it('a download by address and hash, in the shape of Obico', async () => {
    const { port } = server.address() as AddressInfo
    const env = { DETECTOR: 'obico', DETECTOR_MODEL_URL: `http://127.0.0.1:${port}/m.onnx` }
    const detector = await opened({ ...env, DETECTOR_MODEL_SHA256: sha256(boxes) })
    expect(detector.health().state).toBe('ready')
    expect(detector.kind).toBe('obico')
    expect((await detector.detect(await picture(96, 64, RED))).boxes).toHaveLength(1)
    const other = await opened({ ...env, DETECTOR_MODEL_SHA256: 'cd'.repeat(32) })
    expect(other.health().state).toBe('down')
    expect(said.join()).toContain('could not be fetched')
  })
  it('settings that contradict each other stop the start', () => {
    const both = {
      DETECTOR: 'obico',
      DETECTOR_MODEL_URL: 'http://x/m.onnx',
      DETECTOR_MODEL_SHA256: 'cd'.repeat(32),
      DETECTOR_MODEL_FOLDER: '/models/mine',
    }
    expect(() => readConfig(both)).toThrow(BadConfig)
  })
})
