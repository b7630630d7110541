import type { Readable } from 'node:stream'

/** What a child program may cost. Each of them ends it. */
export interface Limits {
  /** Wall-clock time in milliseconds. */
  readonly timeMs: number
  /** Memory of its own in bytes: heap, stacks and buffers, not the program's code. */
  readonly memoryBytes: number
  /** Largest file that it may write, in bytes. */
  readonly fileBytes: number
}

/** One run of a child program. */
export interface Run {
  /** Never a shell's words: each is one argument, whatever stands in it. */
  readonly args: readonly string[]
  readonly limits: Limits
  /** Ends it when the caller has no more use for it. */
  readonly signal?: AbortSignal
  /** What it reads; nothing unless given. */
  readonly input?: Readable
  /** Whom it runs as, where the server may choose; as the server itself unless given. */
  readonly user?: number
  /** Each line that it writes to its standard output. */
  readonly onLine?: (line: string) => void
}

/** Why a program did not do its work: not there, out of time or memory, told to stop, or it said no. */
export type Failure = 'missing' | 'time' | 'memory' | 'stopped' | 'refused'

/** A child program did not do its work; `message` is a sentence, `said` the last that it wrote of errors. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed'
  readonly why: Failure
  readonly said: string
  constructor(why: Failure, sentence: string, said = '', options?: ErrorOptions) {
    super(sentence, options)
    this.why = why
    this.said = said
  }
}
