/**
 * The judge of first-layer pictures (docs/detector.md, docs/detector.md): a patch classifier and the regularity of
 * the lines. Loaded in a detector's worker thread with the first nozzle picture, and only when its hash fits.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as ort from 'onnxruntime-node'
import { fieldsOf, fileOf, readChecked, whole, within, wrong } from './card.ts'
import { decode } from './decode.ts'
import { countingCells } from './heat.ts'
import { greyOf, regularity } from './lines.ts'
import { BadPicture, DetectorUnavailable, LAYER_ISSUES, type LayerSight } from './port.ts'
import { letterbox } from './resize.ts'
import { openSession } from './backends.ts'

/** Classes of the network, in the order of its planes: sound, the issues, and no nozzle camera at all. */
const CLASSES = ['noIssues', ...LAYER_ISSUES, 'notANozzleCam'] as const
const STRANGE = CLASSES.length - 1
/** A picture without an issue scores this at least (grade B), one with an issue at most the other (grade C). */
const SOUND_FROM = 60
const FLAWED_MOST = 59

/** What `card.json` beside the model says; written by training/vigil/first_layer_export.py. */
export interface LayerCard {
  name: string
  version: string
  file: string
  sha256: string
  input: { size: number; pad: number }
  /** Input pixels a cell. */
  cell: number
  /** An issue counts by the mean of its `top` highest cells. */
  top: number
  /** From this mean on, a picture shows the issue; by name. */
  thresholds: Record<string, number>
  /** Mean probability over the picture from which on it is of no nozzle camera. */
  notANozzleCam: number
  /** Regularity that counts as none and as full, and the share of the score it makes. */
  lines: { low: number; high: number; share: number }
}

/** Checks a card. Throws {@link DetectorUnavailable} naming the field. */
export function parseLayerCard(value: unknown): LayerCard {
  const card = fieldsOf(value, 'the card')
  const input = fieldsOf(card['input'], 'input')
  const lines = fieldsOf(card['lines'], 'lines')
  const thresholds = fieldsOf(card['thresholds'], 'thresholds')
  if (JSON.stringify(card['classes']) !== JSON.stringify(CLASSES)) throw wrong('classes')
  return {
    ...fileOf(card),
    input: {
      size: whole(input['size'], 'input.size', 64, 1024),
      pad: within(input['pad'], 'input.pad', 0, 255),
    },
    cell: whole(card['cell'], 'cell', 1, 64),
    top: whole(card['top'], 'top', 1, 4096),
    thresholds: Object.fromEntries(
      LAYER_ISSUES.map((name) => [name, within(thresholds[name], `thresholds.${name}`, 0, 1)]),
    ),
    notANozzleCam: within(card['notANozzleCam'], 'notANozzleCam', 0, 1),
    lines: {
      low: within(lines['low'], 'lines.low', 0, 1),
      high: within(lines['high'], 'lines.high', Number(lines['low']) + 0.001, 1),
      share: within(lines['share'], 'lines.share', 0, 1),
    },
  }
}

/** What looks at first layers. */
export interface LayerJudge {
  inspect(picture: Uint8Array): Promise<LayerSight>
}

/** Loads the model of a folder. Throws {@link DetectorUnavailable} with a sentence when anything does not fit. */
export async function loadLayerJudge(folder: string): Promise<LayerJudge> {
  const path = join(folder, 'card.json')
  const written = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new DetectorUnavailable(`no readable model card at ${path}`, { cause: error })
  })
  const card = parseLayerCard(JSON.parse(written))
  const session = await openSession(await readChecked(join(folder, card.file), card.sha256))
  const { size, pad } = card.input
  return {
    async inspect(picture) {
      const pixels = await decode(picture)
      if (Math.min(pixels.width, pixels.height) < 16) throw new BadPicture('The picture is too small.')
      const { input, placement } = letterbox(pixels, size, size, pad)
      const tensor = new ort.Tensor('float32', input, [1, 3, size, size])
      const [[inputName = ''], [outputName = '']] = [session.inputNames, session.outputNames]
      const answer = (await session.run({ [inputName]: tensor }))[outputName]
      const cells = Math.floor(size / card.cell)
      if (answer?.dims.join() !== [1, CLASSES.length, cells, cells].join())
        throw new DetectorUnavailable('the first-layer model answers in another shape than its card says')
      const logits = answer.data as Float32Array
      const grid = { values: logits, width: cells, height: cells, stride: card.cell }
      const inside = countingCells(grid, placement)
      return judgeLayer(logits, inside, regularity(greyOf(input, size, size), placement), card)
    },
  }
}

/**
 * From the network's cells and the lines' regularity to what the picture shows. `logits` are planes of
 * `inside.length` cells in the order of the classes. Label and score come from the same shares and can't contradict each
 * other: a picture of no issue scores 60 to 100, one that shows an issue under 60. Null where it is of no nozzle camera.
 */
export function judgeLayer(
  logits: Float32Array,
  inside: Uint8Array,
  regular: number | null,
  card: LayerCard,
): LayerSight {
  const cells = inside.length
  const chances = softmaxInside(logits, inside)
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  const highest = (of: (cell: readonly number[]) => number) =>
    mean(
      chances
        .map(of)
        .toSorted((a, b) => b - a)
        .slice(0, card.top),
    )
  const shares = Object.fromEntries(
    LAYER_ISSUES.map((name, i) => [name, highest((cell) => cell[i + 1]!)]),
  ) as LayerSight['shares']
  const strange = cells === 0 ? 1 : mean(chances.map((cell) => cell[STRANGE]!))
  const lines = regular === null ? null : between(regular, card.lines)
  const model = `${card.name} ${card.version}`
  // Where nothing has any contrast there is nothing to praise: the dark, a cap on the lens.
  if (strange >= card.notANozzleCam || lines === null)
    return { model, score: null, labels: ['notANozzleCam'], shares, notANozzleCam: strange, lines }
  const labels = LAYER_ISSUES.filter((name) => shares[name] >= card.thresholds[name]!)
  const isSound = labels.length === 0
  // The issue that comes nearest to being told, or of those told the one that goes farthest beyond.
  const worst = Math.max(
    ...LAYER_ISSUES.map((name) => badness(shares[name], card.thresholds[name]!, isSound)),
  )
  const { share } = card.lines
  const quality = (1 - share) * (1 - worst) + share * lines
  return {
    model,
    score: isSound ? SOUND_FROM + (100 - SOUND_FROM) * quality : FLAWED_MOST * quality,
    labels: isSound ? ['noIssues'] : labels,
    shares,
    notANozzleCam: strange,
    lines,
  }
}

/** How near an issue's share comes to its threshold, 0..1; of a picture that shows one, how far beyond it goes. */
const badness = (share: number, threshold: number, isSound: boolean) =>
  isSound ? share / threshold : Math.max(0, share - threshold) / Math.max(0.001, 1 - threshold)

/** Where a value lies from `low` (0) to `high` (1). */
const between = (value: number, { low, high }: { low: number; high: number }) =>
  Math.min(1, Math.max(0, (value - low) / (high - low)))

/** Probabilities of the classes, cell by cell, of those that lie in the picture. */
function softmaxInside(logits: Float32Array, inside: Uint8Array): number[][] {
  const cells = inside.length
  const found: number[][] = []
  for (let i = 0; i < cells; i++) {
    if (!inside[i]) continue
    const values = CLASSES.map((_, c) => logits[c * cells + i]!)
    const most = Math.max(...values)
    if (!Number.isFinite(most)) throw new DetectorUnavailable('the first-layer model answered with no number')
    const powers = values.map((value) => Math.exp(value - most))
    const sum = powers.reduce((all, value) => all + value, 0)
    found.push(powers.map((value) => value / sum))
  }
  return found
}
