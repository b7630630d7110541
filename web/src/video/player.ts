import type { Feed, FeedHeard } from './feed.ts'
import {
  type Event,
  figures,
  freshness,
  type Ladder,
  ladder,
  type Reason,
  saidOf,
  SLOW_LINK,
  step,
} from './ladder.ts'
import type { Rung } from './rungs.ts'

/** What is seen of a video. */
export interface Shown {
  /** `loading` before the first picture; `stills` where there is none but the camera's last still. */
  phase: 'off' | 'loading' | 'playing' | 'stills'
  kind: Rung['kind'] | null
  reason: Reason | null
  /** `still`: nothing has come for a moment. */
  fresh: 'live' | 'late' | 'still'
  /** Whole seconds since the last picture. */
  age: number
  figures: { fps: number; kbps: number } | null
  /** Too much was lost since somebody was told. */
  slow: boolean
  /** Another try may help. */
  canTry: boolean
  stream: MediaStream | null
  /** Of the picture, in pixels. */
  size: { width: number; height: number } | null
}

export interface PlayerOptions {
  /** Of the socket that leads to the printer's gateway. */
  path: string
  rungs: readonly Rung[]
  /** Why there can be no video at all. */
  why: Reason | null
  onData?: FeedHeard['onData']
  onUp?: FeedHeard['onUp']
  onRest?: FeedHeard['onRest']
}

const TICK_MS = 1000
/** The figures stand so long before they are counted anew. */
const FIGURES_MS = 5000

/** Whether this browser can show a stream of that kind. */
function canShow({ kind }: Rung): boolean {
  if (typeof RTCPeerConnection === 'undefined') return false
  if (kind === 'mjpeg') return true
  const codecs = RTCRtpReceiver.getCapabilities('video')?.codecs
  return codecs?.some(({ mimeType }) => mimeType.toLowerCase() === 'video/h264') ?? true
}

/** Plays one camera: keeps its ladder, opens what that wants, and says what is seen. */
export class VideoPlayer {
  readonly #options: PlayerOptions
  readonly #listeners = new Set<() => void>()
  #ladder: Ladder
  #feed: Feed | null = null
  #opened = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #stream: MediaStream | null = null
  #size: Shown['size'] = null
  #figures: Shown['figures'] = null
  #figuresAt = -Infinity
  #canvas: HTMLCanvasElement | null = null
  #shown: Shown

  constructor(options: PlayerOptions) {
    this.#options = options
    const rungs = options.rungs.filter(canShow)
    const why = options.rungs.length > 0 && rungs.length === 0 ? 'noWebrtc' : null
    this.#ladder = ladder(rungs, options.why ?? why)
    this.#shown = this.#look()
  }

  get shown(): Shown {
    return this.#shown
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  want(wanted: boolean): void {
    clearInterval(this.#timer)
    if (wanted) this.#timer = setInterval(() => this.#tell({ type: 'tick' }), TICK_MS)
    this.#tell({ type: 'want', wanted })
  }

  again(): void {
    this.#tell({ type: 'again' })
  }

  forgive(): void {
    this.#tell({ type: 'forgive' })
  }

  /** Says something over the data channel; false where it can't be heard at once. */
  send(text: string): boolean {
    return this.#feed?.send(text) ?? false
  }

  /** Where pictures are painted that come one by one. */
  paintOn(canvas: HTMLCanvasElement | null): void {
    this.#canvas = canvas
  }

  /** The video element tells what it shows. */
  sized(width: number, height: number): void {
    if (width === this.#size?.width && height === this.#size.height) return
    this.#size = { width, height }
    this.#show()
  }

  #tell(event: Event): void {
    const before = this.#ladder
    this.#ladder = step(before, event, performance.now())
    const isOpen = this.#ladder.phase !== 'off' && this.#ladder.phase !== 'stills'
    if (!isOpen || this.#ladder.attempt !== this.#opened) this.#close()
    if (isOpen && this.#ladder.attempt !== this.#opened) this.#open(this.#ladder)
    if (before !== this.#ladder || event.type === 'tick') this.#show()
  }

  #open({ attempt, rungs, at }: Ladder): void {
    this.#opened = attempt
    const rung = rungs[at]
    if (!rung) return
    void import('./feed.ts').then(
      ({ Feed }) => {
        if (this.#opened === attempt)
          this.#feed = new Feed({ path: this.#options.path, rung }, this.#hear(attempt))
      },
      () => this.#opened === attempt && this.#tell({ type: 'failed', reason: 'lost' }),
    )
  }

  #close(): void {
    const feed = this.#feed
    this.#feed = null
    this.#opened = 0
    feed?.close()
    this.#stream = null
    this.#size = null
    this.#figures = null
    this.#figuresAt = -Infinity
  }

  /** What a connection tells counts for as long as it is the one that is wanted. */
  #hear(attempt: number): FeedHeard {
    const { onData, onUp, onRest } = this.#options
    const isIt = () => this.#opened === attempt
    return {
      onEvent: (event) => {
        if (isIt()) this.#tell(event)
      },
      onStream: (stream) => {
        if (!isIt()) return
        this.#stream = stream
        this.#show()
      },
      onPicture: async (jpeg) => {
        const bitmap = await createImageBitmap(jpeg)
        try {
          if (isIt()) this.#paint(bitmap)
        } finally {
          bitmap.close()
        }
      },
      onData: (data) => isIt() && onData?.(data),
      onUp: (leftMs) => isIt() && onUp?.(leftMs),
      onRest: (leftMs) => onRest?.(leftMs),
    }
  }

  #paint(bitmap: ImageBitmap): void {
    const canvas = this.#canvas
    if (!canvas) return
    if (canvas.width !== bitmap.width) canvas.width = bitmap.width
    if (canvas.height !== bitmap.height) canvas.height = bitmap.height
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    this.sized(bitmap.width, bitmap.height)
  }

  #look(): Shown {
    const held = this.#ladder
    const now = performance.now()
    const { phase } = held
    if (now - this.#figuresAt >= FIGURES_MS) {
      const counted = phase === 'playing' ? figures(held) : null
      this.#figures = counted
      if (counted) this.#figuresAt = now
    }
    return {
      ...saidOf(held),
      kind: held.rungs[held.at]?.kind ?? null,
      fresh: freshness(held, now),
      age: held.frameAt === null ? 0 : Math.floor((now - held.frameAt) / 1000),
      figures: this.#figures,
      slow: held.lost > SLOW_LINK,
      canTry: phase === 'stills' && held.rungs.length > 0,
      stream: this.#stream,
      size: this.#size,
    }
  }

  #show(): void {
    const shown = this.#look()
    const before: Record<string, unknown> = { ...this.#shown }
    const isSame = Object.entries(shown).every(([key, value]) => before[key] === value)
    if (isSame) return
    this.#shown = shown
    for (const listener of this.#listeners) listener()
  }
}
