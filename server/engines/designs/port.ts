/** Who made a design, as a card shows it. */
export interface Maker {
  readonly name: string
  /** A key for `picture`; null: there is none. */
  readonly picture: string | null
}

/** A design on a list. */
export interface Hit {
  readonly id: number
  readonly name: string
  readonly picture: string | null
  readonly maker: Maker
  readonly likes: number
}

/** A design whole. */
export interface Design extends Hit {
  readonly collects: number
  readonly files: number
  /** HTML as the provider has it: never shown as it is. */
  readonly html: string
  readonly license: string | null
  /** Its page at the provider's. */
  readonly url: string | null
}

export interface Comment {
  readonly id: number
  readonly body: string
  readonly maker: Maker
}

export interface DesignFile {
  readonly id: number
  readonly name: string
  readonly numBytes: number
  readonly picture: string | null
  /** A key for `file`; null: it cannot be had. */
  readonly content: string | null
}

/** How a provider is asked. */
export interface Asking {
  readonly language: 'en' | 'zh'
  readonly signal: AbortSignal
}

/** Why a provider has not answered: keys of sentences in `designs-server`. */
export type DesignTrouble = 'away' | 'slow' | 'limited' | 'refused' | 'nonsense' | 'gone' | 'tooLarge'

/** The provider gave nothing that can be used; `againInS`: not before that. */
export class NoDesigns extends Error {
  override readonly name = 'NoDesigns'
  readonly why: DesignTrouble
  readonly againInS: number
  constructor(why: DesignTrouble, { againInS = 30, cause }: { againInS?: number; cause?: unknown } = {}) {
    super(`the catalogue of designs: ${why}`, { cause })
    this.why = why
    this.againInS = againInS
  }
}

/**
 * A catalogue of designs to print. Whatever a provider's server says is looked at here: what comes out is bounded. Each raises `NoDesigns`.
 */
export interface DesignProvider {
  readonly name: string
  /** By words, or the popular ones of the last 30 days without; pages from 1. */
  list(keyword: string, page: number, asking: Asking): Promise<readonly Hit[]>
  design(id: number, asking: Asking): Promise<Design>
  pictures(id: number, asking: Asking): Promise<readonly string[]>
  comments(id: number, asking: Asking): Promise<readonly Comment[]>
  files(id: number, asking: Asking): Promise<readonly DesignFile[]>
  /** The bytes of a file by its key, `mostBytes` at most. */
  file(key: string, mostBytes: number, asking: Asking): Promise<Buffer>
  /** The bytes of a picture by its key, as they are: not to be trusted. */
  picture(key: string, asking: Asking): Promise<Buffer>
}
