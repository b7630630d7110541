import { useEffect, useMemo, useState } from 'react'
import { serverNow } from '../lib/clock.ts'
import { readStored, writeStored } from '../lib/stored.ts'
import { type Cycle, nextCycleAt, nextSecond, PLAY_S, restored } from './cycle.ts'

export interface CycleNow extends Cycle {
  /** The server has begun to let it play for so long. */
  began: (leftMs: number | null) => void
  /** The server lets it rest for so long. */
  rests: (leftMs: number) => void
}

/** Play and rest where the plan has them: kept under `key`, counted each second. Null key: it plays on. */
export function useCycle(key: string | null, playing: boolean): CycleNow | null {
  const [cycle, setCycle] = useState(() => restored(key && readStored(key), serverNow()))
  const runs = key !== null && (playing || cycle.rest > 0)
  useEffect(() => {
    if (!runs) return undefined
    const timer = setInterval(() => setCycle((held) => nextSecond(held, playing)), 1000)
    return () => clearInterval(timer)
  }, [runs, playing])
  const rests = cycle.rest > 0
  useEffect(() => {
    // Once when it begins to play or to rest; what is counted in between follows from it.
    if (key && (playing || rests)) setCycle((held) => kept(key, held))
  }, [key, playing, rests])
  const told = useMemo(
    () => ({
      began: (leftMs: number | null) => {
        if (leftMs === null || key === null) return
        const left = Math.max(1, Math.min(PLAY_S, Math.floor(leftMs / 1000)))
        setCycle(kept(key, { left, rest: 0 }))
      },
      rests: (leftMs: number) => {
        if (key !== null) setCycle(kept(key, { left: 0, rest: Math.max(1, Math.ceil(leftMs / 1000)) }))
      },
    }),
    [key],
  )
  return key === null ? null : { ...cycle, ...told }
}

function kept(key: string, cycle: Cycle): Cycle {
  writeStored(key, String(nextCycleAt(cycle, serverNow())))
  return cycle
}
