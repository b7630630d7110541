/**
 * `live`: pub/sub and short-lived keys. Delivery is at most once by definition; what must survive goes to db or
 * jobs. Two adapters, memory and Redis, pass one test suite (architecture 1, stack 4).
 */
export interface Live {
  /** Tells every subscriber of `topic`, on this node and the others. */
  publish(topic: string, message: Uint8Array | string): void
  /** Calls `fn` for each message on `topic` until the returned function is called. */
  subscribe(topic: string, fn: (message: Buffer) => void): Promise<() => void>
  /** Asks whoever answers `topic`; null when nobody does within `ms`. */
  request(topic: string, message: Uint8Array | string, ms: number): Promise<Buffer | null>
  /** Answers requests on `topic` until the returned function is called. */
  respond(topic: string, fn: (message: Buffer) => Promise<Uint8Array | string>): Promise<() => void>
  /** Keeps a value for `ttlMs` milliseconds; null removes it. */
  put(key: string, value: Uint8Array | string | null, ttlMs: number): Promise<void>
  get(key: string): Promise<Buffer | null>
  /** Values of all keys that begin with `prefix` and are still alive (small sets only: discovery). */
  list(prefix: string): Promise<Map<string, Buffer>>
  /** Adds one to a counter that vanishes `ttlMs` after its first increment; returns the new value. */
  incr(key: string, ttlMs: number): Promise<number>
  /**
   * Takes the lease `key` for `owner`: the epoch rises by one with each new holder and never falls while the
   * store lives. A live holder is displaced (the newest agent socket wins); it finds out by `holds`.
   */
  claim(key: string, owner: string, ttlMs: number): Promise<Lease>
  /** Removes and returns the value in one step (one-time messages); null when there is none. */
  take(key: string): Promise<Buffer | null>
  close(): Promise<void>
}

/** Who holds a printer's socket. A stale holder's epoch is refused. */
export interface Lease {
  readonly epoch: number
  /** Renews the lease; false when somebody else has taken it since. */
  renew(): Promise<boolean>
  /** Gives it up, unless somebody else has it already. */
  release(): Promise<void>
}
