import type { PrinterId, PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterAway } from '../presence/index.ts'
import type { FrameKind, Frames, Message } from './decode.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** What a room sees of an agent's open socket. */
export interface Line {
  readonly printerId: PrinterId
  /** False once it has closed. */
  readonly isOpen: boolean
  /** Of its lease; null once it has ended. */
  readonly epoch: number | null
  /** Says something to the agent, while it is there. */
  send(frame: Record<string, unknown>): void
  /** Says something in BSON; resolves when it has left. Raises an error when it cannot any more, or `isWanted` says no when its turn comes. */
  sendBytes(message: Uint8Array, isWanted?: () => boolean): Promise<void>
  /** Says one BSON document in parts, at the pace at which they leave (`Outgoing.sayInParts`). */
  sendParts(parts: AsyncIterable<Uint8Array>): Promise<void>
  close(code: number, why: string): void
  /** Another socket speaks for this printer by now. */
  isReplaced(): Promise<boolean>
  /** The agent has reported: nothing, something that came too late, or how its printer is now; `earlier`, on another socket. */
  noteReport(what: 'empty' | 'late' | 'status' | 'earlier'): void
  /** Why the agent has no printer, as far as that is known. */
  noteAway(why: Omit<PrinterAway, 'since'>): void
}

/** What a room does with its kind of frames on one line. */
export interface Receiver<K extends FrameKind = FrameKind> {
  /** A frame, and as it came. One that throws is logged, and harms nothing. */
  hear(frame: Frames[K], message: Message): void
  /** What this room adds to the first `remote_status`. */
  readonly greeting?: Readonly<Record<string, unknown>>
  /** The print that runs as far as this room knows: commands for another one are refused. */
  readonly printId?: PrintId | null
  /** What has the agent knock again at once, said just before a restart; `remote_status` unless told otherwise. */
  readonly farewell?: readonly Readonly<Record<string, unknown>>[] | undefined
  /** Resolves when nothing that was said waits any more: the printer's next line waits for it. */
  readonly settled?: Promise<void>
  /** The agent has gone and nobody else speaks for its printer. */
  leave?(): void
  /** This line has ended, whoever speaks for the printer next. */
  end?(): void
}

/**
 * Opens a room's receiver as a line begins, before the agent is greeted: what it takes to read is awaited, and frames wait
 * meanwhile. Null: the printer is no more, and the agent is sent away.
 */
export type OpenReceiver<K extends FrameKind = FrameKind> = (
  ctx: Ctx,
  line: Line,
) => Receiver<K> | Promise<Receiver<K> | null>

/** Who takes which frames. */
const openersOf = ofServer(() => new Map<FrameKind, OpenReceiver>())

/** Takes a kind of frames. Call while the features register; a kind that nobody takes is dropped unread. */
export function onFrame<K extends FrameKind>(ctx: Pick<Ctx, 'live'>, kind: K, open: OpenReceiver<K>): void {
  const openers = openersOf(ctx)
  if (openers.has(kind)) throw new Error(`frames of kind ${kind} are taken twice`)
  openers.set(kind, open)
}

/** The receivers of one line. */
export class Receivers {
  readonly #byKind: ReadonlyMap<FrameKind, Receiver>
  readonly #all: readonly Receiver[]

  private constructor(byKind: ReadonlyMap<FrameKind, Receiver>) {
    this.#byKind = byKind
    this.#all = [...byKind.values()]
  }

  /** Opens all that are registered; null when the printer is no more. */
  static async open(ctx: Ctx, line: Line): Promise<Receivers | null> {
    const byKind = new Map<FrameKind, Receiver>()
    for (const [kind, open] of openersOf(ctx)) {
      const receiver = await open(ctx, line)
      if (receiver === null) return null
      byKind.set(kind, receiver)
    }
    return new Receivers(byKind)
  }

  hear(frame: Frames[FrameKind], message: Message): void {
    this.#byKind.get(frame.kind)?.hear(frame, message)
  }

  get greeting(): Record<string, unknown> {
    return Object.assign({}, ...this.#all.map(({ greeting }) => greeting))
  }

  get printId(): PrintId | null {
    return this.#all.find(({ printId }) => printId !== undefined)?.printId ?? null
  }

  get farewell(): readonly Readonly<Record<string, unknown>>[] | undefined {
    return this.#all.find(({ farewell }) => farewell !== undefined)?.farewell
  }

  get settled(): Promise<unknown> {
    return Promise.all(this.#all.map((receiver) => receiver.settled ?? Promise.resolve()))
  }

  leave(): void {
    for (const receiver of this.#all) receiver.leave?.()
  }

  end(): void {
    for (const receiver of this.#all) receiver.end?.()
  }
}
