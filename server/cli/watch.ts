import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { drawBoxes } from '../engines/inference/draw.ts'
import type { Box, Detector } from '../engines/inference/port.ts'
import { followPicture, type PictureHistory } from '../engines/inference/quality.ts'
import { judge, NEW_PRINTER } from '../modules/watch/deciding/again.rules.ts'
import { DRAWN_ABOVE } from '../modules/watch/deciding/temporal.rules.ts'
import { type Command, CommandFailed, FAILED, OK, print, readArgs, UsageError } from './command.ts'
import { whyUnreadable, withDetector } from './detect.ts'
import { type Frames, withFrames } from './report/frames.ts'
import { clock, moments, type Seen } from './report/moments.rules.ts'
import { page } from './report/page.ts'

const help = `Judges the pictures of a print, as one on a printer that is new.

  ./vigil watch [--json] [--interval S] [--faster N] [--report FILE.html [--language en|zh]] FOLDER|FILM

Pictures (jpg, jpeg, png, webp) of a folder are taken in name order, 10 seconds apart or --interval S. Of a film (mp4,
mov, mkv, webm, avi; needs ffmpeg) a picture is taken every so many seconds; of a time-lapse say how many times
faster than life it plays (--faster 60: an hour in a minute).
--json prints one object a frame: file, t (seconds), score, smoothed, gauge (0 to 100), decision
("none", "warn" or "pause"). A frame that cannot be read has "error" beside decision "none", and the exit code
is 1.
--report writes one page for the browser: the gauge over the print, what Vigil would have done and when, and the
pictures at its peaks. Judge a few prints of your own with it before you trust a camera to Vigil.`

const OPTIONS = {
  json: { type: 'boolean', default: false },
  interval: { type: 'string' },
  faster: { type: 'string' },
  report: { type: 'string' },
  language: { type: 'string', default: 'en' },
} as const
const LANGUAGES = ['en', 'zh'] as const

export const watch: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [path, ...rest] = positionals
    if (path === undefined || rest.length > 0)
      throw new UsageError('Name one folder of pictures, or one film.')
    const interval = Number(values.interval ?? 10)
    if (!(interval > 0 && interval <= 3600))
      throw new UsageError('--interval wants seconds, above 0 and up to 3600')
    const faster = Number(values.faster ?? 1)
    if (!(faster >= 1 && faster <= 10_000)) throw new UsageError('--faster wants a number from 1 to 10000')
    const language = LANGUAGES.find((one) => one === values.language)
    if (language === undefined) throw new UsageError('--language is en or zh')
    const { report } = values
    if (report !== undefined) await write(report, '') // judging takes long: a wrong place is said first
    return await withFrames(path, interval / faster, (found) =>
      withDetector(async (detector) => {
        const frames: Judged[] = []
        for await (const frame of judgeAll(detector, found, interval)) {
          const { boxes: _, tone: __, ...seen } = frame
          print(values.json ? seen : describe(seen))
          frames.push(frame)
        }
        if (report !== undefined) {
          const shown = await pictures(found.folder, moments(frames))
          const { model } = detector
          const name = basename(resolve(path))
          await write(report, page({ name, model, language, intervalSeconds: interval, frames, shown }))
          if (!values.json) print(`The report is in ${report}.`)
        }
        return frames.some(({ error }) => error !== undefined) ? FAILED : OK
      }),
    )
  },
}

type Judged = Seen & {
  readonly boxes: readonly Box[]
  readonly tone: Parameters<typeof drawBoxes>[1]['tone']
}

/** Looks at the frames in order and decides as for a print on a printer that was never watched. */
async function* judgeAll(
  detector: Detector,
  { folder, files }: Frames,
  interval: number,
): AsyncGenerator<Judged> {
  let row = NEW_PRINTER
  let history: PictureHistory | null = null
  for (const [index, file] of files.entries()) {
    const t = index * interval
    const at = (t + interval) * 1000
    const unread = { decision: 'none', score: null, boxes: [], tone: 'quiet' } as const
    let judged: Pick<Judged, 'decision' | 'score' | 'boxes' | 'tone' | 'error'> = unread
    try {
      const inspection = await detector.detect(await readFile(join(folder, file)))
      const followed = followPicture(history, inspection.quality, at, interval * 1000)
      history = followed.history
      const { heat, boxes, modelKey, score } = inspection
      const { condition } = followed
      const [usable, moved] = [condition === null, condition === 'moved']
      const look = { at, kind: detector.kind, modelKey, score, boxes, heat, usable, moved }
      const next = judge(row, look, 1)
      row = next.row
      judged = { ...next.judged, boxes: boxes.filter(({ score: sure }) => sure > DRAWN_ABOVE) }
    } catch (reason) {
      judged = { ...unread, error: whyUnreadable(reason) }
    }
    yield { file, t, smoothed: row.ewmMean, gauge: Math.round(row.normalizedP * 1000) / 10, ...judged }
  }
}

/** The pictures of these frames with their boxes drawn. */
async function pictures(folder: string, frames: readonly Judged[]) {
  const shown = []
  for (const frame of frames)
    shown.push({ frame, jpeg: await drawBoxes(await readFile(join(folder, frame.file)), frame) })
  return shown
}

async function write(file: string, content: string): Promise<void> {
  await writeFile(file, content).catch((error: Error) => {
    throw new CommandFailed(error.message)
  })
}

function describe({ file, t, score, gauge, decision, error }: Seen): string {
  const seen =
    score === null ? `  ${error}` : `  score ${score.toFixed(2)}  gauge ${gauge.toFixed(0).padStart(3)}`
  return `${clock(t).padStart(8)}${seen}  ${decision === 'none' ? '     ' : decision.toUpperCase().padEnd(5)}  ${file}`
}
