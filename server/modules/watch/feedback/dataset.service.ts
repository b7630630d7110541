import { createHmac } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { NO_ID, type PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { PictureError, stripJpeg } from '../../../lib/jpeg.ts'
import * as queries from './dataset.queries.ts'
import type { ConsentedPrint } from './dataset.queries.ts'

/** One picture of the data set, and what its owner said (docs/feedback-dataset.md). */
export interface Example {
  /** `shot`: asked about by itself; `first_layer`: of a nozzle camera; `frame`: of a print that was judged as a whole. */
  readonly kind: 'shot' | 'first_layer' | 'frame'
  /** Name of the picture in `images/`. */
  readonly image: string
  readonly print: string
  readonly camera: string
  /** Seconds from the beginning of the print. */
  readonly t: number
  /** Of a shot `LOOKS_BAD`, `LOOKS_OK`, `UNDECIDED`; of a first layer its labels; of a frame `FAILED`, `NOT_FAILED`. */
  readonly answer: string | readonly string[]
  /** The detector's own score, where it is known: 0 to 1 of a shot, 0 to 100 of a first layer. */
  readonly score: number | null
  /** Whether the print was alerted. */
  readonly alerted: boolean
}

/** Where examples go. */
export interface Sink {
  image(name: string, bytes: Uint8Array): Promise<void>
  example(example: Example): Promise<void>
}

/** What became of it. */
export interface Gathered {
  prints: number
  examples: Record<Example['kind'], number>
  /** Pictures that are gone, or are none. */
  missing: number
}

const PAGE = 200
/** Of a print that was judged as a whole, so many frames at most, spread over it. */
const MOST_FRAMES = 60

interface Picture {
  readonly kind: Example['kind']
  readonly id: number
  readonly ref: MediaRef
  readonly at: Date
  readonly answer: Example['answer']
  readonly score: number | null
}

/**
 * Gives every picture that an owner has answered, of prints that they let be looked at, to `sink`. Nothing in it names a
 * person, a file or a row: ids are keyed hashes that only this server can make, times count from the print's beginning,
 * and pictures are stripped of whatever a camera wrote into them.
 */
export async function gatherExamples(ctx: Ctx, sink: Sink): Promise<Gathered> {
  const opaque = opaqueWith(ctx.config.VIGIL_SECRET)
  const gathered: Gathered = { prints: 0, examples: { shot: 0, first_layer: 0, frame: 0 }, missing: 0 }
  let after: PrintId = NO_ID
  for (;;) {
    const prints = await queries.findConsented(ctx.db, after, PAGE)
    for (const print of prints) {
      after = print.id
      let given = 0
      for (const picture of await picturesOf(ctx, print)) {
        const bytes = await readStripped(ctx, picture.ref)
        if (bytes === null) {
          gathered.missing++
          continue
        }
        const image = `${opaque(`${picture.kind}:${picture.id}`)}.jpg`
        await sink.image(image, bytes)
        await sink.example({
          kind: picture.kind,
          image,
          print: opaque(`print:${print.id}`),
          camera: opaque(`camera:${print.printerId ?? `print:${print.id}`}`),
          t: secondsInto(print, picture.at),
          answer: picture.answer,
          score: picture.score,
          alerted: print.alertedAt !== null,
        })
        gathered.examples[picture.kind]++
        given++
      }
      if (given > 0) gathered.prints++
    }
    if (prints.length < PAGE) return gathered
  }
}

/** Ids as nobody can read them back: the same on each export of this server, so that sets can be joined. */
function opaqueWith(secret: string | undefined): (what: string) => string {
  if (secret === undefined) throw new Error('VIGIL_SECRET is missing: ids cannot be hidden.')
  return (what) => createHmac('sha256', secret).update(`feedback:${what}`).digest('hex').slice(0, 24)
}

const secondsInto = ({ startedAt, createdAt }: ConsentedPrint, at: Date) =>
  Math.round((at.getTime() - (startedAt ?? createdAt).getTime()) / 1000)

async function picturesOf(ctx: Ctx, print: ConsentedPrint): Promise<Picture[]> {
  const [shots, layers, frames] = await Promise.all([
    queries.findAnsweredShots(ctx.db, print.id),
    queries.findAnsweredLayerImages(ctx.db, print.id),
    print.alertOverwrite === null ? [] : queries.findFrames(ctx.db, print.id),
  ])
  return [
    ...shots.map(({ id, image, takenAt, answer, score }): Picture => ({
      kind: 'shot',
      id,
      ref: image,
      at: takenAt,
      answer: answer!,
      score,
    })),
    ...layers.map(({ id, picture, takenAt, answer, score }): Picture => ({
      kind: 'first_layer',
      id,
      ref: picture,
      at: takenAt,
      answer: answer!.split('|'),
      score,
    })),
    ...spread(frames).map(({ id, picture, createdAt }): Picture => ({
      kind: 'frame',
      id,
      ref: picture,
      at: createdAt,
      answer: print.alertOverwrite!,
      score: null,
    })),
  ]
}

/** At most so many of them, evenly from the first to the last. */
function spread<T>(items: readonly T[]): readonly T[] {
  if (items.length <= MOST_FRAMES) return items
  return Array.from(
    { length: MOST_FRAMES },
    (_, at) => items[Math.round((at * (items.length - 1)) / (MOST_FRAMES - 1))]!,
  )
}

/** The picture without what a camera wrote into it; null when it is gone, or no JPEG. */
async function readStripped(ctx: Ctx, ref: MediaRef): Promise<Uint8Array | null> {
  const content = await ctx.files.get(ref)
  if (content === null) return null
  try {
    return stripJpeg(await buffer(content))
  } catch (error) {
    if (error instanceof PictureError) return null
    throw error
  }
}
