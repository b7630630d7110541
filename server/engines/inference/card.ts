/** A model on disk: its card, and its bytes only when the hash fits (issue 4 part 2). */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DetectorUnavailable } from './port.ts'

/** What `card.json` beside a model says; written by the training code, see docs/detector.md. */
export const modelCard = z.object({
  name: z.string().min(1),
  version: z.union([z.string(), z.number()]).transform(String),
  file: z.string().regex(/^[\w.-]+\.onnx$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created: z.string().optional(),
  input: z.object({
    width: z.int().min(32).max(2048),
    height: z.int().min(32).max(2048),
    pad: z.number().min(0).max(255),
    resize: z.string(),
  }),
  stride: z.int().min(1).max(64),
  score: z.object({
    kind: z.literal('topk-mean-logit'),
    k: z.int().min(1),
    a: z.number().positive(),
    b: z.number(),
  }),
  box: z.object({ threshold: z.number().min(0).max(1), minCells: z.int().min(1) }),
  operatingPoint: z.record(z.string(), z.unknown()).optional(),
})

type ModelCard = z.infer<typeof modelCard>

/** Reads a model folder. Throws {@link DetectorUnavailable} with a sentence when anything does not fit. */
export async function loadModel(folder: string): Promise<{ card: ModelCard; bytes: Buffer }> {
  const parsed = modelCard.safeParse(await readCard(join(folder, 'card.json')))
  if (!parsed.success) {
    const first = parsed.error.issues[0]
    throw new DetectorUnavailable(`the model card is wrong at ${first?.path.join('.')}: ${first?.message}`)
  }
  const card = parsed.data
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
