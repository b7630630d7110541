/** The two detectors as they run inside a worker thread: our heat map and the Obico-shaped contract. */
import { isInside } from '@vigil/contract/printers/zones.ts'
import * as ort from 'onnxruntime-node'
import { loadModel, type ModelCard, modelKeyOf, readChecked } from './card.ts'
import { decode, qualityOf } from './decode.ts'
import { countingCells, frameScore, heatBoxes, heatMap, type Logits } from './heat.ts'
import { DetectorUnavailable, type Inspection, type Polygon, type Box } from './port.ts'
import { letterbox, stretch } from './resize.ts'

/** Boxes at or below this confidence are nothing (strict). */
const OBICO_THRESHOLD = 0.08
/** A box that overlaps a stronger one by more than this is dropped. */
const OBICO_NMS = 0.45

/**
 * Boxes of the raw outputs, strongest first, in pixels of the picture.
 * @param corners N x (x1, y1, x2, y2), relative to the picture
 * @param confidences N confidences
 *
 * The reference multiplies heights by the picture's width; this uses the height (docs/detector.md).
 */
function obicoBoxes(
  corners: ArrayLike<number>,
  confidences: ArrayLike<number>,
  picture: { width: number; height: number },
  ignore: readonly Polygon[] = [],
): Box[] {
  const kept: Candidate[] = []
  for (const candidate of candidates(corners, confidences)) {
    const [x1, y1, x2, y2] = candidate.corner
    if (ignore.some((polygon) => isInside(polygon, (x1 + x2) / 2, (y1 + y2) / 2))) continue
    if (kept.every((other) => overlap(other.corner, candidate.corner) <= OBICO_NMS)) kept.push(candidate)
  }
  return kept.map(({ corner, score }) => {
    const [x1, y1, x2, y2] = corner
    const { width, height } = picture
    return { x: x1 * width, y: y1 * height, w: (x2 - x1) * width, h: (y2 - y1) * height, score }
  })
}

type Corner = readonly [x1: number, y1: number, x2: number, y2: number]

interface Candidate {
  readonly corner: Corner
  readonly score: number
}

function candidates(corners: ArrayLike<number>, confidences: ArrayLike<number>) {
  const found: Candidate[] = []
  for (let i = 0; i < confidences.length; i++) {
    const score = confidences[i]!
    if (!(score > OBICO_THRESHOLD)) continue
    const at = (c: number) => corners[4 * i + c]!
    found.push({ score, corner: [at(0), at(1), at(2), at(3)] })
  }
  return found.sort((a, b) => b.score - a.score)
}

/** Intersection over union of two (x1, y1, x2, y2). */
function overlap(a: Corner, b: Corner): number {
  const w = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]))
  const h = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]))
  const area = ([x1, y1, x2, y2]: Corner) => (x2 - x1) * (y2 - y1)
  const union = area(a) + area(b) - w * h
  return union > 0 ? (w * h) / union : 0
}

/** Which model to load, and how it is spoken to. */
export type Backend =
  /** Folder with `card.json` and the model. */
  | { kind: 'vigil'; folder: string }
  /** Path of an ONNX file of the Obico-shaped contract and its mandatory SHA-256 (hex). */
  | { kind: 'obico'; path: string; sha256: string }

/** A loaded model. */
interface Loaded {
  model: string
  inspect(picture: Uint8Array, ignore: readonly Polygon[]): Promise<Inspection>
}

/** Loads the model of a backend. Throws {@link DetectorUnavailable} with a sentence for the operator. */
export function loadBackend(backend: Backend): Promise<Loaded> {
  return backend.kind === 'vigil' ? loadVigil(backend.folder) : loadObico(backend.path, backend.sha256)
}

async function loadVigil(folder: string): Promise<Loaded> {
  const { card, bytes } = await loadModel(folder)
  await assertFits(bytes, card)
  const session = await openSession(bytes)
  const { width, height, pad } = card.input
  const model = `${card.name} ${card.version}`
  const modelKey = modelKeyOf(card)
  return {
    model,
    async inspect(picture, ignore) {
      const pixels = await decode(picture)
      const { input, placement } = letterbox(pixels, width, height, pad)
      const heat = await runFirst(session, input, width, height)
      const logits: Logits = { ...gridSize(heat), stride: card.stride }
      const counting = countingCells(logits, placement, ignore)
      return {
        score: real(frameScore(logits, counting, card.score)),
        boxes: heatBoxes(logits, counting, placement, pixels, card.box, card.score),
        heat: heatMap(logits, counting, placement, card.score),
        model,
        modelKey,
        width: pixels.width,
        height: pixels.height,
        quality: qualityOf(picture, pixels),
      }
    },
  }
}

/**
 * Another model may be of another shape than its card says: then its boxes would lie anywhere. Tried in a session
 * of its own, since one that has run keeps 20 MB that a server without prints does not need.
 */
async function assertFits(bytes: Uint8Array, { input, stride }: ModelCard): Promise<void> {
  const session = await openSession(bytes)
  try {
    const { width, height } = input
    const blank = new Float32Array(3 * width * height).fill(input.pad / 255)
    const heat = await runFirst(session, blank, width, height).catch((error: unknown) => {
      throw new DetectorUnavailable('the model does not take the input that its card names', { cause: error })
    })
    const wanted = [1, 1, Math.floor(height / stride), Math.floor(width / stride)]
    if (heat.type === 'float32' && heat.dims.join() === wanted.join()) return
    throw new DetectorUnavailable(
      `the model answers ${heat.type} [${heat.dims.join()}], its card says float32 [${wanted.join()}]`,
    )
  } finally {
    await session.release()
  }
}

function gridSize(heat: ort.Tensor) {
  const [height = 0, width = 0] = heat.dims.slice(-2)
  return { values: heat.data as Float32Array, width, height }
}

/** A model that answers with no number sees nothing: that must not pass for "looks good". */
function real(score: number): number {
  if (!Number.isFinite(score)) throw new DetectorUnavailable('the model answered with no number')
  return score
}

async function runFirst(session: ort.InferenceSession, input: Float32Array, width: number, height: number) {
  const [first] = await runAll(session, input, width, height)
  if (first === undefined) throw new DetectorUnavailable('the model answered nothing')
  return first
}

async function runAll(session: ort.InferenceSession, input: Float32Array, width: number, height: number) {
  const tensor = new ort.Tensor('float32', input, [1, 3, height, width])
  const [inputName = ''] = session.inputNames
  const results = await session.run({ [inputName]: tensor })
  return session.outputNames.flatMap((name) => results[name] ?? [])
}

async function loadObico(path: string, sha256: string): Promise<Loaded> {
  const session = await openSession(await readChecked(path, sha256))
  const input = session.inputMetadata[0]
  const [height, width] = input?.isTensor ? input.shape.slice(2, 4) : []
  if (typeof width !== 'number' || typeof height !== 'number' || session.outputNames.length < 2) {
    throw new DetectorUnavailable('the model has not the shape [1,3,H,W] -> boxes, confidences')
  }
  const [boxes, scores] = await runAll(session, new Float32Array(3 * width * height), width, height)
  if (boxes === undefined || scores === undefined || boxes.size !== 4 * scores.size) {
    throw new DetectorUnavailable('the model does not answer four corners for each confidence')
  }
  const modelKey = sha256.slice(0, 12)
  const model = `obico-shaped ${modelKey}`
  return {
    model,
    async inspect(picture, ignore) {
      const pixels = await decode(picture)
      const outputs = await runAll(session, stretch(pixels, width, height), width, height)
      const [corners, confidences] = outputs.map((output) => output.data as Float32Array)
      if (corners === undefined || confidences === undefined)
        throw new DetectorUnavailable('the model answered nothing')
      const boxes = obicoBoxes(corners, confidences, pixels, ignore)
      return {
        score: real(confidences.some(Number.isNaN) ? NaN : boxes.reduce((sum, box) => sum + box.score, 0)),
        boxes,
        heat: null,
        model,
        modelKey,
        width: pixels.width,
        height: pixels.height,
        quality: qualityOf(picture, pixels),
      }
    },
  }
}

/** A model made ready on one thread: many printers share a few workers. Throws {@link DetectorUnavailable}. */
export async function openSession(bytes: Uint8Array): Promise<ort.InferenceSession> {
  try {
    return await ort.InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      // One block planned for all maps of a picture would be kept at rest: 20 MB, for no time won.
      enableMemPattern: false,
      logSeverityLevel: 3,
    })
  } catch (error) {
    throw new DetectorUnavailable('the model is not a readable ONNX graph', { cause: error })
  }
}
