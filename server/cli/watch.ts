import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { followPicture, type PictureHistory } from '../engines/inference/quality.ts'
import type { PredictionRow } from '../modules/detection/detection.queries.ts'
import { consider } from '../modules/detection/temporal.rules.ts'
import { type Command, CommandFailed, FAILED, OK, print, readArgs, UsageError } from './command.ts'
import { whyUnreadable, withDetector } from './detect.ts'

const help = `Judges a folder of pictures as the frames of one print on a printer that is new.

  ./vigil watch [--json] [--interval S] FOLDER

Pictures (jpg, jpeg, png, webp) are taken in name order, 10 seconds apart or --interval S.
--json prints one object a frame: file, t (seconds), score, smoothed, gauge (0 to 100), decision
("none", "warn" or "pause"). A frame that cannot be read has "error" beside decision "none", and the exit code
is 1.`

const OPTIONS = { json: { type: 'boolean', default: false }, interval: { type: 'string' } } as const
const PICTURE = /\.(jpe?g|png|webp)$/i

/** A printer that was never watched. */
const NEW_PRINTER: PredictionRow = {
  printerId: 0,
  currentFrameNum: 0,
  lifetimeFrameNum: 0,
  currentP: 0,
  ewmMean: 0,
  rollingMeanShort: 0,
  rollingMeanLong: 0,
  normalizedP: 0,
  steady: null,
  watchMark: null,
  updatedAt: new Date(0),
}

export const watch: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [folder, ...rest] = positionals
    if (folder === undefined || rest.length > 0) throw new UsageError('Name one folder of pictures.')
    const interval = Number(values.interval ?? 10)
    if (!(interval > 0 && interval <= 3600))
      throw new UsageError('--interval wants seconds, above 0 and up to 3600')
    const files = await picturesIn(folder)
    return withDetector(async (detector) => {
      let code = OK
      let row = NEW_PRINTER
      let history: PictureHistory | null = null
      for (const [index, file] of files.entries()) {
        const t = index * interval
        const at = (t + interval) * 1000
        let decision: 'none' | 'warn' | 'pause' = 'none'
        let score: number | null = null
        let error: string | undefined
        try {
          const inspection = await detector.detect(await readFile(join(folder, file)))
          const followed = followPicture(history, inspection.quality, at, interval * 1000)
          history = followed.history
          const { heat, boxes, modelKey } = inspection
          const { condition } = followed
          const [usable, moved] = [condition === null, condition === 'moved']
          const { kind } = detector
          const look = { at, kind, modelKey, score: inspection.score, boxes, heat, usable, moved }
          const verdict = consider(row, look, { sensitivity: 1, bendingFactor: null })
          row = { ...row, ...verdict.next, steady: verdict.next.steady as unknown as PredictionRow['steady'] }
          score = Math.min(1, Math.max(0, inspection.score))
          decision = verdict.decision.shouldPause ? 'pause' : verdict.decision.shouldAlert ? 'warn' : 'none'
        } catch (reason) {
          error = whyUnreadable(reason)
          code = FAILED
        }
        const gauge = Math.round(row.normalizedP * 1000) / 10
        const seen = { file, t, score, smoothed: row.ewmMean, gauge, decision, ...(error && { error }) }
        print(values.json ? seen : describe(seen))
      }
      return code
    })
  },
}

async function picturesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new CommandFailed(error.message)
  })
  const files = names.filter((name) => PICTURE.test(name)).sort()
  if (files.length === 0) throw new CommandFailed(`There are no pictures in ${folder}.`)
  return files
}

interface Seen {
  file: string
  t: number
  score: number | null
  gauge: number
  decision: string
  error?: string
}

function describe({ file, t, score, gauge, decision, error }: Seen): string {
  const clock = `${String(Math.floor(t / 60)).padStart(4)}:${String(Math.floor(t % 60)).padStart(2, '0')}`
  const seen =
    score === null ? `  ${error}` : `  score ${score.toFixed(2)}  gauge ${gauge.toFixed(0).padStart(3)}`
  return `${clock}${seen}  ${decision === 'none' ? '     ' : decision.toUpperCase().padEnd(5)}  ${file}`
}
