/** What somebody who has a simulated printer can see of it and do with it. */
import type { PrinterState } from './printer.ts'
import type { WireEvent } from './types.ts'

export type Failure = 'spaghetti' | 'detached'

export interface SimulatedPrinter {
  /** Resolves with the token when the agent is linked and past the gate; rejects when it can't be linked. */
  readonly ready: Promise<string>
  readonly state: PrinterState
  readonly layer: number
  readonly completion: number
  readonly isConnected: boolean
  /** True when 4321 has made the sender dumb (docs/wire/agents.md 8.2). */
  readonly hasGoneSilent: boolean
  /** Starts a file by its path, or the first one; false when the machine is busy. */
  startPrint: (path?: string) => boolean
  /** Somebody deletes a file on the printer; false when there is none at that path. */
  removeFile: (path: string) => boolean
  /** Pauses at the machine's own panel, not through the server. */
  pause: () => boolean
  resume: () => boolean
  cancel: () => boolean
  /** Lets the print go wrong now, or at a layer. */
  fail: (kind: Failure, layer?: number) => void
  /** Prints so many times faster than life from now on. */
  setSpeed: (speed: number) => void
  freezeCamera: (isFrozen?: boolean) => void
  darkCamera: (isDark?: boolean) => void
  /** Half-open for `ms`: nothing is read, answered or closed. */
  loseNetwork: (ms: number) => Promise<void>
  /** Cuts the websocket without a close frame. */
  dropSocket: () => void
  reportError: (text: string) => void
  /** The agent's process ends and comes back: Klipper prints on, OctoPrint has lost its print. */
  restartAgent: (downSeconds?: number) => Promise<void>
  /** Klipper shut down or serial port closed: the printer is offline while its agent lives. */
  setPower: (isOn: boolean) => void
  /** Pulls the USB cable or puts it back: without it OctoPrint finds no serial port. */
  plug: (isIn: boolean) => void
  /** Puts the agent's clock ahead (or back) by so many seconds. */
  clockSkew: (seconds: number) => void
  /** The process dies: sockets are torn, nothing is said. */
  kill: () => void
  /** Ends the agent and waits for what it was doing. */
  stop: () => Promise<void>
  /** What the webcam sees now, as JPEG. */
  snapshot: () => Promise<Buffer>
  /** Everything that went over the wire so far, in order. Kept only without `light`. */
  readonly events: readonly WireEvent[]
  /** Calls back for each further event; returns how to stop that. */
  onEvent: (listener: (event: WireEvent) => void) => () => void
  /** The first event that fits, past ones included unless `from` says otherwise; rejects after `ms`. */
  waitFor: (fits: (event: WireEvent) => boolean, of?: { from?: number; ms?: number }) => Promise<WireEvent>
}
