/** Words that the parts of the simulated agent share. */
import type { PrintFile } from './printer.ts'

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

/** A Janus that streams, and the cameras that the agent says it has. */
export interface JanusSetup {
  /** `ws://127.0.0.1:17730/`, or `ws+unix:` and a path. */
  address: string
  webcams: Json[]
  dataChannelId: number | null
  /** Of the agent, where it is not the one whose words are spoken. */
  agentVersion?: string
}

/** The knobs that decide pace and circumstances; see README.md. */
export interface Pace {
  /** Divides every wait of the protocol: 10 makes 30 s into 3 s. */
  timeScale: number
  statusEverySeconds: number | undefined
  picEverySeconds: number
  reconnectPenaltyMs: number
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
  janus: JanusSetup | undefined
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
