/** The public face of the simulated printer: for the demo, for tests and for benchmarks. */
import { setMaxListeners } from 'node:events'
import { Agent } from './agent.ts'
import { EventLog } from './event-log.ts'
import { towerGcode, vaseGcode } from './gcode.ts'
import type { PrintFile } from './printer.ts'
import { RunningPrinter } from './running-printer.ts'
import type { Failure, SimulatedPrinter } from './simulated-printer.ts'
import type { FlavourName, JanusSetup, Json, WireEvent } from './types.ts'

export type { PrinterState } from './printer.ts'
export type { Failure, SimulatedPrinter } from './simulated-printer.ts'
export type { FlavourName, JanusSetup, Json, WireEvent } from './types.ts'

export interface SimulatorOptions {
  /** Base address of the server, with a path prefix if it has one. */
  server: string
  /** The printer's `auth_token`. Without it and without `code` the agent announces itself until somebody links it. */
  token?: string
  /** A six-digit code to trade for a token. */
  code?: string
  flavour?: FlavourName
  /** Decides the look of camera, filament and noise; the same seed gives the same print. */
  seed?: number
  /** How many times faster than life the machine prints. */
  speed?: number
  /** Divides every wait of the protocol: 10 makes the 30 s between statuses 3 s. */
  timeScale?: number
  /** Seconds between statuses whatever the flavour's rule; not divided by `timeScale`. */
  statusEverySeconds?: number
  /** Seconds between pictures while printing and watched: 10 in life. */
  picEverySeconds?: number
  /** What a refused connection costs: 120,000 in life. */
  reconnectPenaltyMs?: number
  /** A folder of pictures to play instead of the rendered ones. */
  pictures?: string
  /** G-code files on the printer; a vase and a tower of our own without it. */
  files?: { path: string; text: string }[]
  /** Starts its first file at once. */
  print?: boolean
  /** Starts its first file again after each print of it, until one is cancelled; and plays the folder of pictures in a ring. */
  loop?: boolean
  /** Posts no pictures at all. */
  withoutPictures?: boolean
  /** Shares one picture with all light printers of the process. */
  light?: boolean
  fail?: { kind: Failure; layer?: number }
  /** A web service to answer tunnel requests instead of the built-in page. */
  localUrl?: string
  /** A Janus beside the printer: its cameras are the printer's. */
  janus?: JanusSetup
  handshakePort?: number
  hostOrIp?: string
  signal?: AbortSignal
  onPasscode?: (passcode: string, link: string) => void
  onEvent?: (event: WireEvent) => void
}

const KEPT_EVENTS = 5000

let demo: PrintFile[] | null = null

/** The files that every simulated printer has, made once a process. */
export function demoFiles(): PrintFile[] {
  demo ??= [
    { name: 'vase.gcode', path: 'vase.gcode', text: vaseGcode(), modified: 1_790_000_000.5 },
    {
      name: 'tower.gcode',
      path: 'tower.gcode',
      text: towerGcode({ layers: 120 }),
      modified: 1_790_000_100.5,
    },
  ]
  return demo
}

/** Starts one simulated printer; it runs until `stop()`, `kill()` or the signal. */
export function startSimulatedPrinter(options: SimulatorOptions): SimulatedPrinter {
  const own = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, own.signal]) : own.signal
  // Each wait and each call of the agent listens to it for a while; eleven at once are no leak.
  setMaxListeners(0, signal)
  const log = new EventLog(options.light ? 0 : KEPT_EVENTS)
  if (options.onEvent) log.listen(options.onEvent)
  const agent = createAgent(options, signal, (event) => log.add(event))
  return new RunningPrinter(agent, log, own, options.print ?? false)
}

function createAgent(
  options: SimulatorOptions,
  signal: AbortSignal,
  onEvent: (event: WireEvent) => void,
): Agent {
  const timeScale = options.timeScale ?? 1
  const files = options.files?.map((file) => ({
    ...file,
    name: file.path.split('/').at(-1) ?? file.path,
    modified: Date.now() / 1000,
  }))
  const agent = new Agent({
    server: options.server.trim().replace(/\/$/, ''),
    flavour: options.flavour ?? 'klipper',
    seed: options.seed ?? 1,
    speed: options.speed ?? 1,
    pace: {
      timeScale,
      statusEverySeconds: options.statusEverySeconds,
      picEverySeconds: options.picEverySeconds ?? 10,
      reconnectPenaltyMs: options.reconnectPenaltyMs ?? 120_000 / timeScale,
    },
    token: options.token,
    code: options.code,
    handshakePort: options.handshakePort ?? 46793,
    hostOrIp: options.hostOrIp,
    localUrl: options.localUrl,
    janus: options.janus,
    pictures: options.pictures,
    loop: options.loop ?? false,
    hasPictures: !options.withoutPictures,
    isLight: options.light ?? false,
    files: files ?? demoFiles(),
    failAtLayer: options.fail?.layer ?? (options.fail ? 12 : undefined),
    signal,
    onEvent,
    onPasscode:
      options.onPasscode ??
      ((passcode, link) =>
        onEvent({
          at: Date.now(),
          kind: 'note',
          message: { note: 'passcode', passcode, link } satisfies Json,
        })),
  })
  agent.isDetached = options.fail?.kind === 'detached'
  return agent
}
