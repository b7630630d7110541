import { type DestinationStream, pino } from 'pino'

const WARN = pino.levels.values['warn'] ?? 40
/** How long a line may wait for others, and how many characters may. */
const GATHER_MS = 100
const GATHER_LENGTH = 8_192

/** How an error is written: without what PostgreSQL quotes of a row that it refused, tokens among it. */
export const serializers = {
  err(error: Error): object {
    const { detail: _detail, where: _where, ...told } = pino.stdSerializers.err(error)
    return told
  },
}

/** What is to be written before the process ends. */
const flushes: (() => void)[] = []
process.on('exit', () => {
  for (const flush of flushes) flush()
})

/**
 * Where a log goes: lines of requests are gathered for a moment and written together, as each write costs as much as
 * the work of a small request. A warning is written at once, after all that came before it; so is the rest when the
 * process ends.
 */
export function openLogOutput(fd = 1): DestinationStream {
  const out = pino.destination({ fd, sync: true })
  let lines = ''
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (lines !== '') out.write(lines)
    lines = ''
  }
  flushes.push(flush)
  const stream = {
    // By this pino tells the level of each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      lines += line
      if (stream.lastLevel >= WARN || lines.length > GATHER_LENGTH) flush()
      else timer ??= setTimeout(flush, GATHER_MS).unref()
    },
  }
  return stream
}
