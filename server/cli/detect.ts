import { readFile } from 'node:fs/promises'
import { BadPicture, type Detector, DetectorUnavailable } from '../engines/inference/port.ts'
import { pino } from 'pino'
import { openConfiguredDetector } from '../engines/inference/configured.ts'
import { type Command, FAILED, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { codeOf, textOf } from '../lib/thrown.ts'

const help = `Looks for failures in pictures, with the detector the server would use.

  ./vigil detect [--json] FILE…

--json prints one object a picture: file, score from 0 to 1, and boxes as {x, y, w, h, score} in pixels from
the top left. A picture that cannot be read has "error" instead, and the exit code is 1.`

const OPTIONS = { json: { type: 'boolean', default: false } } as const

export const detect: Command = {
  help,
  async run(args) {
    const { values, positionals: files } = readArgs(args, OPTIONS)
    if (files.length === 0) throw new UsageError('Name at least one picture.')
    return withDetector(async (detector) => {
      let code = OK
      for (const file of files) {
        const seen = await look(detector, file)
        if ('error' in seen) code = FAILED
        print(values.json ? { file, ...seen } : describe(file, seen))
      }
      return code
    })
  },
}

/** Opens the configured detector, or fails with the reason why it can't look. */
export async function withDetector<T>(use: (detector: Detector) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const detector = await openConfiguredDetector(
    loadConfig(),
    stop.signal,
    pino({ level: 'warn' }, process.stderr),
  )
  try {
    const health = detector.health()
    if (health.state === 'down')
      throw new DetectorUnavailable(`The detector is down: ${health.error ?? 'no reason given'}.`)
    return await use(detector)
  } finally {
    stop.abort()
    await detector.close()
  }
}

type Seen = { score: number; boxes: object[] } | { error: string }

async function look(detector: Detector, file: string): Promise<Seen> {
  try {
    const { score, boxes } = await detector.detect(await readFile(file))
    return {
      score: Math.min(1, Math.max(0, score)),
      boxes: boxes.map(({ x, y, w, h, score: sure }) => ({ x, y, w, h, score: sure })),
    }
  } catch (error) {
    return { error: whyUnreadable(error) }
  }
}

/** A sentence for a picture that could not be looked at; other errors go on. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error)
  if (error instanceof BadPicture || code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES') {
    return textOf(error)
  }
  throw error
}

function describe(file: string, seen: Seen): string {
  if ('error' in seen) return `${file}: ${seen.error}`
  return `${file}: ${Math.round(seen.score * 100)} %, ${seen.boxes.length} box${seen.boxes.length === 1 ? '' : 'es'}`
}
