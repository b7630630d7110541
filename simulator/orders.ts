/** Orders that a running simulation takes from its standard input. */
import type { Failure, SimulatedPrinter } from './index.ts'

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
export function obey(printers: SimulatedPrinter[], line: string): void {
  const [, number, text = ''] = /^(?:(\d+):)?(.*)$/.exec(line.trim()) ?? []
  const [word = '', ...rest] = text.trim().split(/\s+/)
  const order = ORDERS[word]
  if (!order) return void (word && process.stderr.write(`Unknown order "${word}"\n`))
  for (const printer of number ? printers.slice(Number(number) - 1, Number(number)) : printers)
    order(printer, rest)
}
