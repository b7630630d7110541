/** `./vigil simulate`: simulated printers against any server of this protocol. */
import { fieldsOf } from '@vigil/contract/fields.ts'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { HELP, planPrinters, readValues, UsageError, type Values } from './command-line.ts'
import { startSimulatedPrinter, type SimulatedPrinter, type WireEvent, type Failure } from './index.ts'

/** Orders that a running simulation takes from its standard input. */
const ORDERS: Record<string, (printer: SimulatedPrinter, words: string[]) => unknown> = {
  start: (printer, [path]) => printer.startPrint(path),
  remove: (printer, [path = '']) => printer.removeFile(path),
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
  restart: (printer, [seconds]) => void printer.restartAgent(Number(seconds ?? 5)),
  kill: (printer) => printer.kill(),
}

/** Does what a line says: `freeze`, or `2: fail spaghetti 20` for one printer alone. */
function obey(printers: SimulatedPrinter[], line: string): void {
  const [, number, text = ''] = /^(?:(\d+):)?(.*)$/.exec(line.trim()) ?? []
  const [word = '', ...rest] = text.trim().split(/\s+/)
  const order = ORDERS[word]
  if (!order) return void (word && process.stderr.write(`Unknown order "${word}"\n`))
  for (const printer of number ? printers.slice(Number(number) - 1, Number(number)) : printers)
    order(printer, rest)
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
  const { event_type: happened } = fieldsOf(message.event)
  if (kind === 'sent' && happened) return `says ${String(happened)}`
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
    // Whoever gives the orders is gone, killed perhaps: nothing is simulated for nobody.
    process.stdin.once('end', () => stop.abort())
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
