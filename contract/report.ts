/**
 * Reports of failures, for whoever keeps a collector that takes Sentry's envelopes (`SENTRY_DSN`). Server and browser
 * build them here. A report says what failed and where in our program. It is put together from a list of what may be
 * told, never from what happened to be at hand: no request, no user, no address, no value, and of an error's own text
 * only sentences that the language itself wrote without quoting anything.
 */

/** Where reports go. */
export interface Collector {
  /** `https://collector.example`: all that a page may connect to for it. */
  readonly origin: string
  /** Takes an envelope by POST; carries the public key. */
  readonly address: string
}

/**
 * Reads `https://key@host/project`. Null when it is none, or holds the old secret half of a key: the DSN is told to
 * every browser.
 */
export function readDsn(dsn: string): Collector | null {
  const url = URL.canParse(dsn) ? new URL(dsn) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.password || url.search || url.hash) return null
  if (!/^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/.test(url.host) || !/^\w+$/.test(url.username)) return null
  const [, folder, project] = /^((?:\/[\w-]+)*)\/(\d+)$/.exec(url.pathname) ?? []
  if (project === undefined) return null
  const query = `sentry_version=7&sentry_key=${url.username}`
  return { origin: url.origin, address: `${url.origin}${folder}/api/${project}/envelope/?${query}` }
}

interface Frame {
  readonly filename: string
  readonly function: string
  readonly lineno: number
  readonly colno: number
  readonly in_app: boolean
}

interface Failure {
  readonly type: string
  readonly value: string
  readonly stacktrace: { readonly frames: readonly Frame[] }
}

export interface Place {
  readonly platform: 'node' | 'javascript'
  readonly version: string
  readonly environment: string
  /** The name of a file of ours inside the program, null for any other. */
  readonly fileName: (address: string) => string | null
  /** Words of our own source: a route's pattern, a job's kind. */
  readonly tags?: Readonly<Record<string, string>>
}

/** One report, as the collector's wire has it. */
export interface Report {
  readonly event_id: string
  readonly exception: { readonly values: readonly Failure[] }
  readonly [field: string]: unknown
}

const LONGEST_STACK = 40
const LONGEST_CHAIN = 3

/** Sentences of the language and its tools; what is matched holds no value, only words of the source. */
const NATIVE = /^(?:Type|Range|Reference)Error$/
const HARMLESS = [
  /^Cannot (?:read|set) properties of (?:undefined|null)/,
  /^[\w$.]{1,80} is not (?:defined|a function|a constructor|iterable)$/,
  /^(?:Maximum call stack size exceeded|Invalid (?:array length|time value|string length))/,
  /^(?:Assignment to constant variable|Converting circular structure to JSON)/,
  /^Reduce of empty array with no initial value/,
  /^(?:Failed to fetch dynamically imported module|Importing a module script failed)/,
]

const REACT = /^Minified React error #\d{1,4}/

function harmless({ name, message }: Error): string {
  for (const sentence of NATIVE.test(name) ? HARMLESS : [REACT]) {
    const [found] = sentence.exec(message) ?? []
    if (found !== undefined) return found
  }
  return ''
}

/** `    at name (file:1:2)`, `    at file:1:2` (V8), `name@file:1:2` (Firefox, Safari). */
const LINE =
  /^(?:\s{2,}at (?:async )?(?:([^()]{1,120}) \()?|([^@]{0,120})@)(.{1,400}):(\d{1,7}):(\d{1,7})\)?$/

function framesOf(error: Error, fileName: Place['fileName']): Frame[] {
  const stack = String(error.stack ?? '')
  // The text of an error stands before its stack, and may look like one.
  const text = stack.indexOf(error.message)
  const after = error.message && text >= 0 ? stack.slice(text + error.message.length) : stack
  return after
    .split('\n', LONGEST_STACK)
    .flatMap((line): Frame[] => {
      const [, v8, gecko, address = '', lineno, colno] = LINE.exec(line.slice(0, 600)) ?? []
      const filename = address ? fileName(address) : null
      if (filename === null || !/^[\w@.:/-]{1,200}$/.test(filename)) return []
      const name = v8 ?? gecko ?? ''
      return [
        {
          filename,
          function: /^[\w$.<> ]{1,80}$/.test(name) ? name : '?',
          lineno: Number(lineno),
          colno: Number(colno),
          in_app: !/^node:|node_modules\//.test(filename),
        },
      ]
    })
    .toReversed()
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z]\w{0,60}$/.test(value)

function failureOf(error: unknown, place: Place): Failure {
  if (!(error instanceof Error)) return { type: 'NotAnError', value: '', stacktrace: { frames: [] } }
  const code = 'code' in error ? error.code : undefined
  const told = typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code : harmless(error)
  return {
    type: isWord(error.name) ? error.name : 'Error',
    value: told,
    stacktrace: { frames: framesOf(error, place.fileName) },
  }
}

/** The report of one failure and of what caused it. */
export function reportOf(error: unknown, place: Place, now = Date.now()): Report {
  const chain: unknown[] = []
  for (
    let one = error;
    one != null && chain.length < LONGEST_CHAIN;
    one = one instanceof Error ? one.cause : null
  )
    chain.push(one)
  return {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: now / 1000,
    platform: place.platform,
    level: 'error',
    release: `vigil@${place.version}`,
    environment: place.environment,
    exception: { values: chain.toReversed().map((one) => failureOf(one, place)) },
    tags: place.tags ?? {},
    // The collector sees who calls; it shall not write it down.
    sdk: { name: 'vigil', version: place.version, settings: { infer_ip: 'never' } },
  }
}

/** The body of the POST. */
export function envelopeOf(report: Report): string {
  const parts = [{ event_id: report.event_id, sent_at: new Date().toISOString() }, { type: 'event' }, report]
  return `${parts.map((part) => JSON.stringify(part)).join('\n')}\n`
}

const WINDOW_MS = 600_000
const MOST = 20

/** Lets each failure through once in ten minutes, and twenty in all: a fault in a loop is one report. */
export function createGate(): (report: Report, now?: number) => boolean {
  const told = new Set<string>()
  let until = 0
  return ({ exception, tags }, now = performance.now()) => {
    if (now > until) {
      told.clear()
      until = now + WINDOW_MS
    }
    const failure = JSON.stringify([exception, tags])
    if (told.has(failure) || told.size >= MOST) return false
    told.add(failure)
    return true
  }
}
