/** `./vigil simulate`: simulated printers against any server of this protocol. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  startSimulatedPrinter,
  type Failure,
  type FlavourName,
  type SimulatedPrinter,
  type SimulatorOptions,
  type WireEvent,
} from './index.ts'

const HELP = `Simulated printers for any server of this protocol.

  vigil simulate --server URL --token T [--token T2 ...]
  vigil simulate --server URL --tokens-file FILE
  vigil simulate --server URL --code 123456
  vigil simulate --server URL --discover

Which printers
  --server URL        address of the server (default http://127.0.0.1:3334, or PORT)
  --token T           a printer's auth_token; may be given again
  --tokens-file FILE  one JSON object a line with auth_token, as "vigil printer add --json" prints ("-" reads stdin)
  --code 123456       link by the six-digit code that the website shows
  --discover          announce itself until somebody links it (shows a one-time passcode)
  --count N           use only the first N tokens; with --discover start N printers
  --flavour F         klipper (default), octoprint, or mixed

What they do
  --print FILE        print a G-code file, or "demo" for a vase of our own
  --loop              print again after each print
  --speed N           print N times faster than life (default 1)
  --fail KIND[@LAYER] spaghetti or detached, at layer 12 if not said; only the first printer with --fail-first
  --fail-first        let only the first printer fail
  --pictures FOLDER   play the pictures of a folder in name order as the webcam
  --no-pics           post no pictures
  --light             share one picture among all: for thousands of printers

Pace
  --status-every S    seconds between statuses (by default as the real agents: 30, or 50 and 10)
  --pic-every S       seconds between pictures while printing and watched (default 10)
  --time-scale N      divide every wait of the protocol by N

Output
  --json              one JSON object a line for each event; with --light one line of totals every 5 s
  --control           read orders from stdin: start, pause, resume, cancel, fail [detached] [LAYER], freeze, thaw,
                      dark, bright, lose MS, drop, error TEXT, skew S, power on|off, kill; "N:" before one names printer N
  --help              this text

It runs until interrupted. Exit codes: 0 ended by signal, 1 no printer could be linked, 2 wrong use.
`

const OPTIONS = {
  server: { type: 'string' },
  token: { type: 'string', multiple: true },
  'tokens-file': { type: 'string' },
  code: { type: 'string' },
  discover: { type: 'boolean' },
  count: { type: 'string' },
  flavour: { type: 'string' },
  print: { type: 'string' },
  loop: { type: 'boolean' },
  speed: { type: 'string' },
  fail: { type: 'string' },
  'fail-first': { type: 'boolean' },
  pictures: { type: 'string' },
  'no-pics': { type: 'boolean' },
  light: { type: 'boolean' },
  'status-every': { type: 'string' },
  'pic-every': { type: 'string' },
  'time-scale': { type: 'string' },
  json: { type: 'boolean' },
  control: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof readValues>

function readValues(args: string[]) {
  return parseArgs({ args, options: OPTIONS }).values
}

class UsageError extends Error {}

function numberOf(
  values: Values,
  name: 'count' | 'speed' | 'status-every' | 'pic-every' | 'time-scale',
): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0)
    throw new UsageError(`--${name} wants a number above 0, not "${text}"`)
  return value
}

function tokensOf(values: Values): string[] {
  const tokens = [...(values.token ?? [])]
  const file = values['tokens-file']
  if (file) {
    for (const line of readFileSync(file === '-' ? 0 : file, 'utf8').split('\n')) {
      if (!line.trim()) continue
      const { auth_token: token } = JSON.parse(line) as { auth_token?: string }
      if (!token) throw new UsageError(`${file} has a line without auth_token`)
      tokens.push(token)
    }
  }
  return tokens.slice(0, numberOf(values, 'count') ?? tokens.length)
}

function failureOf(values: Values): SimulatorOptions['fail'] {
  if (!values.fail) return undefined
  const [kind = '', layer] = values.fail.split('@')
  if (kind !== 'spaghetti' && kind !== 'detached')
    throw new UsageError(`--fail wants spaghetti or detached, not "${kind}"`)
  if (layer === undefined) return { kind }
  if (!Number.isInteger(Number(layer)) || Number(layer) < 1)
    throw new UsageError(`--fail ${kind}@LAYER wants a layer from 1 up`)
  return { kind, layer: Number(layer) }
}

function flavourOf(values: Values, index: number): FlavourName {
  const flavour = values.flavour ?? 'klipper'
  if (flavour === 'mixed') return index % 2 ? 'octoprint' : 'klipper'
  if (flavour !== 'klipper' && flavour !== 'octoprint')
    throw new UsageError(`--flavour wants klipper, octoprint or mixed, not "${flavour}"`)
  return flavour
}

/** The options of each printer that the command line asks for. */
function planPrinters(values: Values): SimulatorOptions[] {
  const tokens = tokensOf(values)
  const links: Pick<SimulatorOptions, 'token' | 'code' | 'handshakePort'>[] = tokens.map((token) => ({
    token,
  }))
  if (values.code) links.push({ code: values.code })
  if (values.discover)
    for (let i = 0; i < (numberOf(values, 'count') ?? 1); i++) links.push(i ? { handshakePort: 0 } : {})
  if (!links.length) throw new UsageError('Name a --token, a --tokens-file, a --code, or --discover')
  const files =
    values.print && values.print !== 'demo'
      ? [{ path: basename(values.print), text: readFileSync(values.print, 'utf8') }]
      : undefined
  const fail = failureOf(values)
  const [speed, timeScale, statusEverySeconds, picEverySeconds] = [
    numberOf(values, 'speed'),
    numberOf(values, 'time-scale'),
    numberOf(values, 'status-every'),
    numberOf(values, 'pic-every'),
  ]
  return links.map((link, index) => ({
    server: values.server ?? `http://127.0.0.1:${process.env.PORT ?? 3334}`,
    ...link,
    flavour: flavourOf(values, index),
    seed: index + 1,
    print: values.print !== undefined,
    loop: values.loop ?? false,
    light: values.light ?? false,
    withoutPictures: values['no-pics'] ?? false,
    ...(speed && { speed }),
    ...(timeScale && { timeScale }),
    ...(statusEverySeconds && { statusEverySeconds }),
    ...(picEverySeconds && { picEverySeconds }),
    ...(values.pictures && { pictures: values.pictures }),
    ...(files && { files }),
    ...(fail && (!values['fail-first'] || index === 0) && { fail }),
  }))
}

interface Totals {
  sent: number
  received: number
  posted: number
  failed: number
}

function say(line: unknown): void {
  process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
}

/** What a person wants to read of an event; null for the rest. */
function describe(event: WireEvent): string | null {
  const { message, kind } = event
  if (kind === 'note') {
    const { note, ...more } = message
    return `${String(note)}${Object.keys(more).length ? ` ${JSON.stringify(more)}` : ''}`
  }
  const { event_type: happened } = (message.event ?? {}) as { event_type?: string }
  if (kind === 'sent' && happened) return `says ${happened}`
  if (kind === 'received' && message.commands) return `is told ${JSON.stringify(message.commands)}`
  if (kind === 'http' && (message.error || Number(message.status) >= 400))
    return `${String(message.method)} ${String(message.path)} -> ${String(message.error ?? message.status)}`
  return null
}

function count(totals: Totals, event: WireEvent): void {
  if (event.kind === 'sent') totals.sent += 1
  if (event.kind === 'received') totals.received += 1
  if (event.kind !== 'http') return
  if (event.message.status === 200 && event.message.path === '/api/v1/octo/pic/') totals.posted += 1
  if (event.message.error || Number(event.message.status) >= 400) totals.failed += 1
}

const ORDERS: Record<string, (printer: SimulatedPrinter, words: string[]) => unknown> = {
  start: (printer, [path]) => printer.startPrint(path),
  pause: (printer) => printer.pause(),
  resume: (printer) => printer.resume(),
  cancel: (printer) => printer.cancel(),
  fail: (printer, words) => {
    const kind: Failure = words.includes('detached') ? 'detached' : 'spaghetti'
    const layer = words.map(Number).find((value) => value > 0)
    printer.fail(kind, layer)
  },
  freeze: (printer) => printer.freezeCamera(),
  thaw: (printer) => printer.freezeCamera(false),
  dark: (printer) => printer.darkCamera(),
  bright: (printer) => printer.darkCamera(false),
  lose: (printer, [ms]) => void printer.loseNetwork(Number(ms ?? 60_000)),
  drop: (printer) => printer.dropSocket(),
  error: (printer, words) => printer.reportError(words.join(' ') || "!! MCU 'mcu' shutdown: Timer too close"),
  skew: (printer, [seconds]) => printer.clockSkew(Number(seconds ?? 86_400)),
  power: (printer, [word]) => printer.setPower(word !== 'off'),
  kill: (printer) => printer.kill(),
}

function obey(printers: SimulatedPrinter[], line: string): void {
  const [, number, text = ''] = /^(?:(\d+):)?\s*(.*)$/.exec(line.trim()) ?? []
  const [word = '', ...rest] = text.split(/\s+/)
  const order = ORDERS[word]
  if (!order) return void (word && process.stderr.write(`Unknown order "${word}"\n`))
  for (const printer of number ? printers.slice(Number(number) - 1, Number(number)) : printers)
    order(printer, rest)
}

async function run(values: Values): Promise<number> {
  const plans = planPrinters(values)
  const isMany = values.light || plans.length > 50
  const totals: Totals = { sent: 0, received: 0, posted: 0, failed: 0 }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const printers: SimulatedPrinter[] = []
  let linked = 0
  const outcomes: Promise<void>[] = []
  if (values.control) {
    const lines = createInterface({ input: process.stdin, signal: stop.signal })
    lines.on('line', (line) => obey(printers, line))
  }
  const report = setInterval(() => say(totalsLine(values, printers, linked, totals)), 5000)
  if (!isMany) clearInterval(report)
  for (const [index, plan] of plans.entries()) {
    if (stop.signal.aborted) break
    const printer = startSimulatedPrinter({
      ...plan,
      signal: stop.signal,
      onEvent: (event) => tell(values, totals, isMany, index, event),
    })
    printers.push(printer)
    outcomes.push(
      printer.ready.then(
        (token) => {
          linked += 1
          if (!isMany)
            say(
              values.json
                ? { printer: index + 1, kind: 'linked', auth_token: token }
                : `${index + 1}: linked and past the gate`,
            )
        },
        () => {},
      ),
    )
    // A crowd arrives over some seconds, as after a power cut, not in one millisecond.
    if (isMany) await wait(5, undefined, { signal: stop.signal }).catch(() => {})
  }
  await Promise.race([Promise.all(outcomes), whenStopped(stop.signal)])
  if (linked) await whenStopped(stop.signal)
  clearInterval(report)
  await Promise.all(printers.map((printer) => printer.stop()))
  return linked || stop.signal.aborted ? 0 : 1
}

function tell(values: Values, totals: Totals, isMany: boolean, index: number, event: WireEvent): void {
  count(totals, event)
  if (isMany) return
  if (values.json) return say({ printer: index + 1, ...event })
  const text = describe(event)
  if (text) say(`${index + 1}: ${text}`)
}

function totalsLine(values: Values, printers: SimulatedPrinter[], linked: number, totals: Totals): unknown {
  const connected = printers.filter((printer) => printer.isConnected).length
  const { user, system } = process.cpuUsage()
  const line = {
    kind: 'totals',
    printers: printers.length,
    linked,
    connected,
    ...totals,
    cpu_seconds: (user + system) / 1e6,
    rss_mb: Math.round(process.memoryUsage.rss() / 1e6),
  }
  return values.json
    ? line
    : `${connected} of ${printers.length} connected, ${totals.sent} sent, ${totals.received} received, ${totals.posted} pictures, ${totals.failed} failed calls`
}

function whenStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

try {
  const values = readValues(process.argv.slice(2))
  if (values.help) process.stdout.write(HELP)
  else process.exitCode = await run(values)
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n${isUsage ? 'Try --help.\n' : ''}`,
  )
  process.exitCode = isUsage ? 2 : 1
}
