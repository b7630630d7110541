/**
 * `live`: pub/sub and short-lived keys. Delivery is at most once by definition; what must survive goes to db or
 * jobs. Two adapters, memory and Redis, pass one test suite (docs/architecture.md).
 *
 * Bytes given to `publish` and `put` are not copied: the giver never changes them afterwards, and a receiver
 * shares them with others, so it never changes them either.
 */
export interface Live {
  /**
   * Tells every subscriber of `topic`, on this node and the others, soon but never before this call returns.
   * Never throws: with the store away the message is dropped.
   */
  publish(topic: string, message: Uint8Array | string): void
  /**
   * Calls `fn` for each message on `topic` until the returned function is called. With the store away it takes
   * effect when the store is back.
   */
  subscribe(topic: string, fn: (message: Buffer) => void): Promise<() => void>
  /** Asks whoever answers `topic`; null when nobody does within `ms`, at once when nobody is there or all fail. */
  request(topic: string, message: Uint8Array | string, ms: number): Promise<Buffer | null>
  /** Answers requests on `topic` until the returned function is called. One that throws has not answered. */
  respond(topic: string, fn: (message: Buffer) => Promise<Uint8Array | string>): Promise<() => void>
  /** Keeps a value for `ttlMs` milliseconds; null removes it. */
  put(key: string, value: Uint8Array | string | null, ttlMs: number): Promise<void>
  get(key: string): Promise<Buffer | null>
  /** The values of several keys, in their order, asked for at once. */
  getMany(keys: readonly string[]): Promise<(Buffer | null)[]>
  /**
   * Values of all keys that begin with `prefix` and are still alive. Looks at every key there is, so for rare
   * questions only: discovery.
   */
  list(prefix: string): Promise<Map<string, Buffer>>
  /**
   * Adds `by` (1 unless given, may be negative) to a counter that vanishes `ttlMs` after its first increment and never
   * falls below zero; returns the new value.
   */
  incr(key: string, ttlMs: number, by?: number): Promise<number>
  /**
   * True at most once in `everyMs`, whichever node asks: the time since it was true last is told by the store's clock.
   * `everyMs` may be another one each time, an hour at most; `put(key, null)` forgets when that was.
   */
  turn(key: string, everyMs: number): Promise<boolean>
  /**
   * Takes the lease `key` for `owner`: the epoch rises by one with each new holder and never falls, also not when
   * the store loses its memory. A live holder is displaced (the newest agent socket wins); it finds out by
   * `renew`. While the lease lives, `get(key)` is its owner.
   */
  claim(key: string, owner: string, ttlMs: number): Promise<Lease>
  /** Removes and returns the value in one step (one-time messages); null when there is none. */
  take(key: string): Promise<Buffer | null>
  close(): Promise<void>
}

/** So long a turn is remembered. */
export const TURN_MS = 3_600_000

/** Who holds a printer's socket. A stale holder's epoch is refused. */
export interface Lease {
  readonly epoch: number
  /** Renews the lease; false when somebody else has taken it since. */
  renew(): Promise<boolean>
  /** Gives it up, unless somebody else has it already. */
  release(): Promise<void>
}

/** The store behind `live` is away or was closed; it reconnects by itself. Answered 503. */
export class LiveUnavailable extends Error {
  override readonly name = 'LiveUnavailable'
}

/** Where an engine says what went wrong; pino fits. */
export interface LiveLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
