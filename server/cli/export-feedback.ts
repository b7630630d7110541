import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Example, type Gathered, gatherExamples } from '../modules/watch/feedback/index.ts'
import { sayWhy } from './backup.ts'
import { type Command, CommandFailed, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { withContext } from './context.ts'

const help = `Writes the pictures that owners have answered, of prints that they let be looked at, as a data set.

  ./vigil export-feedback FOLDER [--json]

  FOLDER   is made; it must not exist, or be empty
  --json   what was written as one JSON object: folder, prints, examples, missing

FOLDER/images/ has the pictures, FOLDER/feedback.jsonl one line for each with what was answered, and FOLDER/manifest.csv
those that training/ learns failures from. No names, addresses or file names, no times of day; ids are keyed hashes.
docs/feedback-dataset.md says what each field means. The server may go on working.`

const OPTIONS = { json: { type: 'boolean', default: false } } as const

/** The columns of training's manifest (training/vigil/data.py), and what an answer is called there. */
const COLUMNS = 'file,label,split,source,licence,group,view,width,height,boxes,note'
const LABELS: Readonly<Record<string, string>> = { LOOKS_BAD: 'failure', LOOKS_OK: 'good' }

export const exportFeedback: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [given, ...rest] = positionals
    if (!given || rest.length > 0)
      throw new UsageError('Name one folder. See ./vigil export-feedback --help.')
    const folder = resolve(given)
    await refuseFilled(folder).catch(sayWhy)
    const done = await withContext(loadConfig(), async (ctx) => {
      const draft = `${folder}.${process.pid}.part`
      try {
        const gathered = await write(draft, (sink) => gatherExamples(ctx, sink))
        await rename(draft, folder)
        return gathered
      } catch (error) {
        await rm(draft, { recursive: true, force: true })
        return sayWhy(error)
      }
    })
    print(values.json ? { folder, ...done } : describe(folder, done))
    return OK
  },
}

async function refuseFilled(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const held = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (held.length > 0) throw new CommandFailed(`${folder} is not empty. Nothing was written.`)
}

/** Writes the set as it comes; whole or not at all is the caller's part. */
async function write(
  folder: string,
  gather: (sink: Parameters<typeof gatherExamples>[1]) => Promise<Gathered>,
): Promise<Gathered> {
  await mkdir(join(folder, 'images'), { recursive: true, mode: 0o700 })
  const lines = await open(join(folder, 'feedback.jsonl'), 'wx')
  const manifest = await open(join(folder, 'manifest.csv'), 'wx')
  try {
    await manifest.write(`${COLUMNS}\n`)
    return await gather({
      image: (name, bytes) => writeFile(join(folder, 'images', name), bytes),
      async example(example) {
        await lines.write(`${JSON.stringify(example)}\n`)
        const row = manifestRow(example)
        if (row !== null) await manifest.write(`${row}\n`)
      },
    })
  } finally {
    await lines.close()
    await manifest.close()
  }
}

/** A line of training's manifest; null for what it has no label for. */
function manifestRow({ kind, image, camera, print: ofPrint, answer }: Example): string | null {
  const label = kind === 'shot' && typeof answer === 'string' ? LABELS[answer] : undefined
  if (label === undefined) return null
  return [
    image,
    label,
    'train',
    'vigil-feedback',
    'consented',
    `feedback/${camera}/${ofPrint}`,
    'webcam',
    '',
    '',
    '',
    '',
  ].join(',')
}

function describe(folder: string, { prints, examples, missing }: Gathered): string {
  const { shot, first_layer: layers, frame } = examples
  const gone = missing > 0 ? ` ${missing} pictures are gone.` : ''
  return `${shot} answered pictures, ${layers} of first layers and ${frame} frames of ${prints} prints are in ${folder}.${gone}`
}
