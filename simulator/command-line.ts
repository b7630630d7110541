/** The command line of `./vigil simulate`. */
import { fieldsOf } from '@vigil/contract/fields.ts'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { FlavourName, SimulatorOptions } from './index.ts'

/** What `--help` prints. */
export const HELP = `Simulated printers for any server of this protocol.

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
  --loop              print again after each print, until one is cancelled
  --speed N           print N times faster than life (default 1)
  --fail KIND[@LAYER] spaghetti or detached, at layer 12 if not said; only the first printer with --fail-first
  --fail-first        let only the first printer fail
  --pictures FOLDER   play the pictures of a folder in name order as the webcam
  --no-pics           post no pictures
  --tunnel-to URL     take tunnels to this printer's page, not to one of our own: http://127.0.0.1:5000
  --light             share one picture among all: for thousands of printers

Pace
  --status-every S    seconds between statuses (by default as the real agents: 30, or 50 and 10)
  --pic-every S       seconds between pictures while printing and watched (default 10)
  --time-scale N      divide every wait of the protocol by N

Output
  --json              one JSON object a line for each event; with --light one line of totals every 5 s
  --control           read orders from stdin: start [PATH], remove PATH, pause, resume, cancel, fail [detached] [LAYER],
                      freeze, thaw, dark, bright, lose MS, drop, error TEXT, skew S, power on|off, restart S, kill; "N:" before one names printer N.
                      Where stdin ends, the simulation does
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
  'tunnel-to': { type: 'string' },
  light: { type: 'boolean' },
  'status-every': { type: 'string' },
  'pic-every': { type: 'string' },
  'time-scale': { type: 'string' },
  json: { type: 'boolean' },
  control: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The options as typed. */
export type Values = ReturnType<typeof readValues>

/** Reads the arguments; throws a TypeError on an unknown one. */
export function readValues(args: string[]) {
  return parseArgs({ args, options: OPTIONS }).values
}

/** A wrong command line, in words for its writer. */
export class UsageError extends Error {}

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
      const { auth_token: token } = fieldsOf(JSON.parse(line))
      if (typeof token !== 'string') throw new UsageError(`${file} has a line without auth_token`)
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

/** Where tunnels lead. */
function tunnelOf({ 'tunnel-to': url }: Values): string | undefined {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`--tunnel-to wants an address such as http://127.0.0.1:5000, not "${url}"`)
  return url
}

/** The options of each printer that the command line asks for. */
export function planPrinters(values: Values): SimulatorOptions[] {
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
  const localUrl = tunnelOf(values)
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
    ...(localUrl && { localUrl }),
    ...(files && { files }),
    ...(fail && (!values['fail-first'] || index === 0) && { fail }),
  }))
}
