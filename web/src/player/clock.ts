export const RATES = [0.5, 1, 1.5, 2] as const
export type Rate = (typeof RATES)[number]

/** Films further apart than this are brought together, in seconds. */
const APART_S = 0.15

export interface ClockState {
  /** 0 to 1. */
  readonly position: number
  /** In seconds; 0 while it is not known. */
  readonly duration: number
  readonly isPlaying: boolean
  readonly rate: Rate
}

/** Leads all films that are shown, the first of them being the one that is followed; without any it runs by itself. */
export class PlayerClock {
  #state: ClockState = { position: 0, duration: 0, isPlaying: false, rate: 1 }
  readonly #films = new Set<HTMLVideoElement>()
  readonly #listeners = new Set<() => void>()
  #stillSeconds = 0
  #frame = 0
  #before = 0

  readonly read = (): ClockState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#play(false)
    }
  }

  #set(change: Partial<ClockState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** How long the still pictures are played, in seconds, where there is no film. */
  setStills(seconds: number): void {
    this.#stillSeconds = seconds
    if (this.#films.size === 0) this.#set({ duration: seconds })
  }

  /** Goes to a position, 0 to 1. */
  readonly seek = (wanted: number): void => {
    const position = Math.min(1, Math.max(0, wanted))
    this.#set({ position })
    for (const film of this.#films) if (film.duration > 0) film.currentTime = position * film.duration
  }

  readonly setRate = (rate: Rate): void => {
    this.#set({ rate })
    for (const film of this.#films) film.playbackRate = rate
  }

  readonly toggle = (): void => {
    if (!this.#state.isPlaying && this.#state.position >= 1) this.seek(0)
    this.#play(!this.#state.isPlaying)
  }

  /** A film takes part until what this returns is called. */
  readonly join = (film: HTMLVideoElement): (() => void) => {
    const begin = () => this.#begin(film)
    this.#films.add(film)
    film.addEventListener('loadedmetadata', begin)
    if (film.readyState > 0) begin()
    return () => {
      film.removeEventListener('loadedmetadata', begin)
      this.#films.delete(film)
    }
  }

  #begin(film: HTMLVideoElement): void {
    this.#set({ duration: Number.isFinite(film.duration) ? film.duration : 0 })
    film.currentTime = this.#state.position * film.duration
    film.playbackRate = this.#state.rate
    if (this.#state.isPlaying) this.#start(film)
  }

  #start(film: HTMLVideoElement): void {
    // Refused while it stands: it was paused or taken away meanwhile, or the browser wants a press first.
    film.play().catch(() => this.#films.has(film) && this.#play(false))
  }

  #play(isPlaying: boolean): void {
    if (isPlaying === this.#state.isPlaying) return
    this.#set({ isPlaying })
    cancelAnimationFrame(this.#frame)
    for (const film of this.#films)
      if (isPlaying) this.#start(film)
      else film.pause()
    if (!isPlaying) return
    this.#before = performance.now()
    this.#frame = requestAnimationFrame(this.#step)
  }

  readonly #step = (at: number): void => {
    const [lead, ...others] = this.#films
    const passed = (Math.max(0, at - this.#before) / 1000) * this.#state.rate
    this.#before = at
    const position = Math.min(1, lead ? this.#positionOf(lead) : this.#after(passed))
    const isOver = lead ? lead.ended : position >= 1
    this.#set({ position: isOver ? 1 : position })
    if (isOver) return this.#play(false)
    for (const other of others)
      if (lead && !other.seeking && Math.abs(other.currentTime - lead.currentTime) > APART_S)
        other.currentTime = lead.currentTime
    this.#frame = requestAnimationFrame(this.#step)
  }

  #positionOf(film: HTMLVideoElement): number {
    return film.duration > 0 && !film.seeking ? film.currentTime / film.duration : this.#state.position
  }

  #after(passed: number): number {
    return this.#stillSeconds > 0 ? this.#state.position + passed / this.#stillSeconds : 1
  }
}
