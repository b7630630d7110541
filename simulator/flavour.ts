/** The two agents, and what each needs of the process that it runs in. */
import type { Camera, Scene } from './camera.ts'
import type { Http } from './http.ts'
import type { Printer, PrinterHappening, PrintFile } from './printer.ts'
import type { FlavourName, JanusSetup, Json, Pace, PassthruCall, PassthruReply } from './types.ts'

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
  /**
   * What Moonraker's history remembers while agents come and go: when the latest print began. Behind: that one was lost with its Klipper, and
   * the next is not listed yet as its agent asks, which takes the key of the lost one for it (docs/wire/agents.md 5).
   */
  readonly history: { startedAt: number; isBehind: boolean }
  readonly localUrl: string | undefined
  /** Absent: there is no video, and the cameras are made up. */
  readonly janus: JanusSetup | undefined
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

/** What differs between the two agents. */
export interface Flavour {
  readonly queueLimit: number
  readonly duplicateMemory: number
  readonly retryCapSeconds: number
  readonly uploadFolder: string
  picFields: (isBoost: boolean) => [string, string][]
  /** What lies on the printer of a file that was fetched; raises an error when it is not stored. */
  stores: (content: Buffer) => string
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
