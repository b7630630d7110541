/** Words that the parts of the simulated agent share. */
import type { Camera, Scene } from './camera.ts'
import type { Http } from './http.ts'
import type { Printer, PrinterHappening, PrintFile } from './printer.ts'

export type FlavourName = 'klipper' | 'octoprint'
export type Json = Record<string, unknown>

/** One thing that went over the wire or happened in the agent, for tests and `--json`. */
export interface WireEvent {
  /** Milliseconds since 1970. */
  at: number
  kind: 'sent' | 'received' | 'http' | 'note'
  /** A websocket message, an HTTP call as `{method, path, fields, status}`, or a note as `{note, …}`. */
  message: Json
}

/** The knobs that decide pace and circumstances; see README.md. */
export interface Pace {
  /** Divides every wait of the protocol: 10 makes 30 s into 3 s. */
  timeScale: number
  statusEverySeconds: number | undefined
  picEverySeconds: number
  reconnectPenaltyMs: number
}

/** What an agent flavour needs of its host. */
export interface Host {
  readonly flavourName: FlavourName
  readonly seed: number
  readonly server: string
  readonly printer: Printer
  readonly camera: Camera
  readonly http: Http
  readonly pace: Pace
  readonly remote: { viewing: boolean; shouldWatch: boolean }
  readonly files: Map<string, PrintFile>
  /** What Moonraker's history remembers while agents come and go: when the latest print began. */
  readonly history: { startedAt: number }
  readonly localUrl: string | undefined
  /** What the server said at the gate (docs/wire/agents.md 3.1). */
  readonly identity: { id: number; isPro: boolean }
  /** The agent's own clock in seconds, with its skew. */
  now: () => number
  /** Puts a message into the queue for the server. */
  post: (message: Json, isBinary?: boolean) => void
  /** Runs `work` after `seconds` of the protocol's time. */
  after: (seconds: number, work: () => void) => void
  note: (note: string, more?: Json) => void
  scene: () => Scene
  /** Holds the reader as a blocking call in the real agents does. */
  stallReader: (seconds: number) => Promise<void>
}

export interface PassthruCall {
  ref?: string
  target: string
  func: string
  args: unknown[]
  kwargs: Json
}

/** The answer to a call: `{ret}`, `{error}`, or null for none at all. */
export type PassthruReply = { ret: unknown } | { error: string } | null

/** What differs between the two agents. */
export interface Flavour {
  readonly queueLimit: number
  readonly duplicateMemory: number
  readonly retryCapSeconds: number
  readonly uploadFolder: string
  picFields: (isBoost: boolean) => [string, string][]
  signature: (file: PrintFile) => string
  /** The process has started and passed the gate. */
  start: () => void
  /** The websocket is open. */
  opened: () => void
  /** Once a second of the protocol's time. */
  tick: () => void
  happened: (what: PrinterHappening) => void
  /** Something of interest came from the server. */
  boost: () => void
  command: (cmd: string, args: unknown) => void
  setDownloading: (isDownloading: boolean) => void
  /** Whether calls run inside the reader and so block everything else. */
  readonly callsBlockReader: boolean
  call: (call: PassthruCall) => PassthruReply
  readonly busyError: string
}

/** A value as text when it is a text, a number or a boolean; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : ''
}

/** Everything that decides what one agent is and does. */
export interface AgentOptions {
  server: string
  flavour: FlavourName
  seed: number
  speed: number
  pace: Pace
  token: string | undefined
  code: string | undefined
  handshakePort: number
  hostOrIp: string | undefined
  localUrl: string | undefined
  pictures: string | undefined
  loop: boolean
  hasPictures: boolean
  isLight: boolean
  files: PrintFile[]
  failAtLayer: number | undefined
  signal: AbortSignal
  onEvent: (event: WireEvent) => void
  onPasscode: (passcode: string, link: string) => void
}
