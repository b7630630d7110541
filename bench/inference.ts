/**
 * How many pictures a second one core inspects, the whole way from JPEG to score: `node bench/inference.ts`.
 * Prints JSON: medians over several runs. Options: `--runs N`, `--frames N`, `--workers N`, `--model FOLDER`.
 * Without a shipped model it measures a tiny graph and says so.
 */
import { createHash } from 'node:crypto'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { decode, qualityOf } from '../server/engines/inference/decode.ts'
import { openDetector, SHIPPED_MODEL } from '../server/engines/inference/detector.ts'
import { tinyHeatModel } from '../server/engines/inference/fixtures/onnx.ts'
import { followPicture, type PictureHistory } from '../server/engines/inference/quality.ts'
import { webcamPicture } from './lib/picture.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    frames: { type: 'string', default: '60' },
    workers: { type: 'string', default: '1' },
    model: { type: 'string', default: SHIPPED_MODEL },
  },
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const rounded = (value: number) => Math.round(value * 100) / 100

async function tinyModel(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'))
  const bytes = tinyHeatModel(416)
  const card = {
    name: 'tiny',
    version: '0',
    file: 'tiny.onnx',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    input: { width: 416, height: 416, pad: 114, resize: 'bilinear' },
    stride: 8,
    score: { kind: 'topk-mean-logit', k: 8, a: 1, b: 0 },
    box: { threshold: 0.5, minCells: 2 },
  }
  await writeFile(join(folder, 'tiny.onnx'), bytes)
  await writeFile(join(folder, 'card.json'), JSON.stringify(card))
  return folder
}

const shipped = await access(join(options.model, 'card.json')).then(
  () => true,
  () => false,
)
const folder = shipped ? options.model : await tinyModel()
const workers = Number(options.workers)
const started = performance.now()
const detector = await openDetector({ backend: { kind: 'vigil', folder }, workers })
const startMs = performance.now() - started
if (detector.health().state === 'down') throw new Error(detector.health().error)

/** Inspects the picture again and again; returns pictures a second and CPU milliseconds a picture. */
async function measure(picture: Buffer): Promise<{ perSecond: number; cpuMs: number }> {
  const frames = Number(options.frames)
  const cpu = process.cpuUsage()
  const begin = performance.now()
  await Promise.all(Array.from({ length: frames }, () => detector.detect(picture)))
  const seconds = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: frames / seconds, cpuMs: (user + system) / 1000 / frames }
}

/** CPU milliseconds of asking whether a camera sees anything (docs/detector.md), of a picture that is decoded. */
async function measureCheck(picture: Buffer): Promise<number> {
  const pixels = await decode(picture)
  const runs = 400
  let history: PictureHistory | null = null
  const cpu = process.cpuUsage()
  for (let i = 0; i < runs; i++)
    history = followPicture(history, qualityOf(picture, pixels), i * 10_000, 10_000).history
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1000 / runs
}

const sizes: Record<string, unknown> = {}
for (const [width, height] of [
  [640, 480],
  [1280, 720],
  [1280, 960],
] as const) {
  const picture = await webcamPicture(width, height)
  await measure(picture)
  const runs: Awaited<ReturnType<typeof measure>>[] = []
  for (let run = 0; run < Number(options.runs); run++) runs.push(await measure(picture))
  sizes[`${width}x${height}`] = {
    jpegBytes: picture.length,
    picturesPerSecond: rounded(median(runs.map((run) => run.perSecond))),
    cpuMsPerPicture: rounded(median(runs.map((run) => run.cpuMs))),
    picturesPerSecondPerCore: rounded(1000 / median(runs.map((run) => run.cpuMs))),
  }
}
const report = {
  model: detector.model,
  shipped,
  machine: `${cpus()[0]?.model.trim()} x ${cpus().length}`,
  node: process.version,
  workers,
  runs: Number(options.runs),
  cameraCheckCpuMs: rounded(await measureCheck(await webcamPicture(640, 480))),
  framesPerRun: Number(options.frames),
  startMs: rounded(startMs),
  rssMiB: rounded(process.memoryUsage().rss / 2 ** 20),
  sizes,
}
console.log(JSON.stringify(report, null, 2))
await detector.close()
if (!shipped) await rm(folder, { recursive: true, force: true })
