import { useEffect, useState, useSyncExternalStore } from 'react'
import { type ClockState, PlayerClock } from './clock.ts'

export interface Playback extends ClockState, Pick<PlayerClock, 'seek' | 'setRate' | 'toggle' | 'join'> {}

/** How the player stands, and what leads it. `stillSeconds`: how long pictures are played where there is no film. */
export function usePlayback(stillSeconds: number): Playback {
  const [clock] = useState(() => new PlayerClock())
  const state = useSyncExternalStore(clock.subscribe, clock.read)
  useEffect(() => clock.setStills(stillSeconds), [clock, stillSeconds])
  const { seek, setRate, toggle, join } = clock
  return { ...state, seek, setRate, toggle, join }
}
