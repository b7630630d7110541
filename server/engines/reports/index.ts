import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGate, envelopeOf, type Place, readDsn, reportOf } from '@vigil/contract/report.ts'
import { type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../../config.ts'
import { openLogOutput, serializers } from '../../lib/log-output.ts'

const PROGRAM = new URL('../../../', import.meta.url)
const ROOTS = [PROGRAM.href, fileURLToPath(PROGRAM)]
const ERROR = pino.levels.values['error'] ?? 50
const PATIENCE_MS = 5_000
const TOLD = new Set(['route', 'kind'])
/** A server that crashes waits this long for its last report. */
const LAST_MS = 1_500

/** Names of files within the program and of Node itself; what lies elsewhere is nobody's business. */
function fileName(address: string): string | null {
  if (address.startsWith('node:')) return address
  const root = ROOTS.find((one) => address.startsWith(one))
  return root === undefined ? null : address.slice(root.length)
}

export interface Reports {
  /** The log of the server: what it says of an error at level `error` or above is reported, too. */
  readonly log: Logger
  /** Reports one failure; never throws, and doesn't wait. */
  report(error: unknown, tags?: Record<string, string>): void
  /** Waits a moment for what is on its way. */
  flush(): Promise<void>
  /** Reports what ends the process before it does. */
  followProcess(): void
}

/** Reports to `SENTRY_DSN` (contract/report.ts), and only then anything at all: else this is just the log. */
export function openReports(config: Config): Reports {
  const collector = config.SENTRY_DSN === undefined ? null : readDsn(config.SENTRY_DSN)
  if (collector === null)
    return {
      log: pino({ level: config.LOG_LEVEL, serializers }, openLogOutput()),
      report: () => {},
      flush: () => Promise.resolve(),
      followProcess: () => {},
    }

  const admit = createGate()
  const underway = new Set<Promise<unknown>>()
  const place = { platform: 'node', version: config.version, environment: config.NODE_ENV, fileName } as const

  function report(error: unknown, tags: Place['tags'] = {}): void {
    const made = reportOf(error, { ...place, tags })
    if (!admit(made)) return
    const sent = send(collector!.address, envelopeOf(made)).finally(() => underway.delete(sent))
    underway.add(sent)
  }
  async function flush(): Promise<void> {
    await Promise.race([Promise.allSettled(underway), sleep(LAST_MS, undefined, { ref: false })])
  }
  return {
    log: pino(watched(config.LOG_LEVEL, report), openLogOutput()),
    report,
    flush,
    followProcess() {
      process.once('uncaughtException', (error) => {
        console.error(error)
        report(error)
        void flush().then(() => process.exit(1))
      })
    },
  }
}

/** A collector that is away is no failure of ours: nothing is kept for later. */
async function send(address: string, body: string): Promise<void> {
  await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-sentry-envelope' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then((answer) => answer.body?.cancel())
    .catch(() => {})
}

/** A log below `error` still hears of errors: it reports them and writes nothing. */
function watched(level: Config['LOG_LEVEL'], report: Reports['report']): LoggerOptions {
  const least = pino.levels.values[level] ?? Infinity
  return {
    level: least > ERROR ? 'error' : level,
    serializers,
    hooks: {
      logMethod(line, write, said) {
        const [first] = line as [unknown]
        if (said >= ERROR && typeof first === 'object' && first && 'err' in first)
          report(first.err, tagsOf(first))
        if (said >= least) write.apply(this, line)
      },
    },
  }
}

/** Of a log line only what stands in our source: a route's pattern, a job's kind. */
function tagsOf(line: object): Record<string, string> {
  const told = Object.entries(line).filter(([name, value]) => TOLD.has(name) && typeof value === 'string')
  return Object.fromEntries(told as [string, string][])
}
