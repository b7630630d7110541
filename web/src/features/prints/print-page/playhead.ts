import { useSyncExternalStore } from 'react'

/** Where the time-lapse stands, 0 to 1: told by the player, shown by whatever goes with it, without drawing the page anew. */
export class Playhead {
  #position = 0
  readonly #listeners = new Set<() => void>()
  readonly read = () => this.#position
  readonly set = (position: number) => {
    this.#position = position
    for (const listener of this.#listeners) listener()
  }
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const usePosition = (playhead: Playhead) => useSyncExternalStore(playhead.subscribe, playhead.read)
