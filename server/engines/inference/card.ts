/** A model on disk: its card, and its bytes only when the hash fits (docs/detector.md). */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DetectorUnavailable } from './port.ts'

/** What `card.json` beside a model says; written by the training code, see docs/detector.md. */
export interface ModelCard {
  name: string
  version: string
  file: string
  sha256: string
  input: { width: number; height: number; pad: number }
  /** Input pixels a cell of the map. */
  stride: number
  /** Score: sigmoid(a * mean of the k largest logits + b). */
  score: { k: number; a: number; b: number }
  box: { threshold: number; minCells: number }
}

/** Checked by hand: the schema library would cost each worker thread 24 MB. */
export function parseCard(value: unknown): ModelCard {
  const card = fieldsOf(value, 'the card')
  const input = fieldsOf(card['input'], 'input')
  const score = fieldsOf(card['score'], 'score')
  const box = fieldsOf(card['box'], 'box')
  if (score['kind'] !== 'topk-mean-logit') throw wrong('score.kind')
  return {
    ...fileOf(card),
    input: {
      width: whole(input['width'], 'input.width', 32, 2048),
      height: whole(input['height'], 'input.height', 32, 2048),
      pad: within(input['pad'], 'input.pad', 0, 255),
    },
    stride: whole(card['stride'], 'stride', 1, 64),
    score: {
      k: whole(score['k'], 'score.k', 1, 1_000_000),
      a: within(score['a'], 'score.a', Number.MIN_VALUE, 1000),
      b: within(score['b'], 'score.b', -1000, 1000),
    },
    box: {
      threshold: within(box['threshold'], 'box.threshold', 0, 1),
      minCells: whole(box['minCells'], 'box.minCells', 1, 1_000_000),
    },
  }
}

/** What every card says of its model's file. */
export const fileOf = (card: Record<string, unknown>) => ({
  name: text(card['name'], 'name', /./),
  version: text(String(card['version']), 'version', /^[\w.-]+$/),
  file: text(card['file'], 'file', /^[\w-][\w.-]*\.onnx$/),
  sha256: text(card['sha256'], 'sha256', /^[0-9a-f]{64}$/),
})

/** The complaint about a field of a card. */
export const wrong = (field: string) => new DetectorUnavailable(`the model card is wrong at ${field}`)

export function fieldsOf(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw wrong(field)
  return value as Record<string, unknown>
}

function text(value: unknown, field: string, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw wrong(field)
  return value
}

export function within(value: unknown, field: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) throw wrong(field)
  return value
}

export function whole(value: unknown, field: string, least: number, most: number): number {
  if (!Number.isInteger(value)) throw wrong(field)
  return within(value, field, least, most)
}

/** What the scores of a model depend on: with another key they are on another scale. */
export const modelKeyOf = ({ sha256, score: { k, a, b } }: Pick<ModelCard, 'sha256' | 'score'>): string =>
  `${sha256.slice(0, 12)} ${k} ${a} ${b}`

/** Reads a model folder. Throws {@link DetectorUnavailable} with a sentence when anything does not fit. */
export async function loadModel(folder: string): Promise<{ card: ModelCard; bytes: Buffer }> {
  const card = parseCard(await readCard(join(folder, 'card.json')))
  return { card, bytes: await readChecked(join(folder, card.file), card.sha256) }
}

async function readCard(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (error) {
    throw new DetectorUnavailable(`no readable model card at ${path}`, { cause: error })
  }
}

/** Reads a file whose SHA-256 (hex) must fit. Throws {@link DetectorUnavailable}. */
export async function readChecked(path: string, sha256: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new DetectorUnavailable(`no readable model at ${path}`, { cause: error })
  })
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256.toLowerCase()) {
    throw new DetectorUnavailable(`the model at ${path} has SHA-256 ${found}, expected ${sha256}`)
  }
  return bytes
}
