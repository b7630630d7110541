import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { serverNow } from '../lib/clock.ts'
import { readStored, writeStored } from '../lib/stored.ts'
import { type Cycle, nextCycleAt, nextSecond, PLAY_S, restored } from './cycle.ts'
import type { FeedHeard } from './feed.ts'
import type { Reason } from './ladder.ts'
import { type Shown, VideoPlayer } from './player.ts'
import type { Rung } from './rungs.ts'
import { useInUse } from './useInUse.ts'

export interface VideoOptions {
  /** Of the socket that leads to the printer's gateway. */
  path: string
  rungs: readonly Rung[]
  why: Reason | null
  /** It plays by itself. */
  auto: boolean
  /** The picture is on the screen, and there is somebody to send one. */
  possible: boolean
  /** Where the plan plays for a while only: under what that is kept in this browser. */
  cycleKey: string | null
  onData?: FeedHeard['onData'] | undefined
}

/** A camera's video as a page has it. */
export interface Video {
  shown: Shown
  player: VideoPlayer
  /** Somebody wants it, by a press or because it plays by itself. */
  on: boolean
  /** It plays, or would if it could. */
  toggle: () => void
  cycle: CycleNow | null
  /** It could play, and waits for somebody to say so. */
  asks: boolean
  /** There is a way to try. */
  possible: boolean
}

/** Plays a camera for as long as the component stands, somebody looks and the plan lets it. */
export function useVideo({ path, rungs, why, auto, possible, cycleKey, onData }: VideoOptions): Video {
  const [chosen, choose] = useState<boolean | null>(null)
  const told = useRef<{ onData: VideoOptions['onData']; cycle: CycleNow | null }>({ onData, cycle: null })
  // The list is made anew with each news of the printer; what it says seldom changes.
  const key = JSON.stringify(rungs)
  const player = useMemo(() => {
    const ways: Rung[] = JSON.parse(key)
    return new VideoPlayer({
      path,
      rungs: ways,
      why,
      onData: (data) => told.current.onData?.(data),
      onUp: (leftMs) => told.current.cycle?.began(leftMs),
      onRest: (leftMs) => told.current.cycle?.rests(leftMs),
    })
  }, [path, key, why])
  const shown = useSyncExternalStore(player.subscribe, () => player.shown)
  const cycle = useCycle(cycleKey, shown.phase === 'playing')
  told.current = { onData, cycle }
  const inUse = useInUse()
  const rests = (cycle?.rest ?? 0) > 0
  const on = chosen ?? auto
  // What no try can change is said without one.
  const wanted = (on || why !== null) && possible && inUse && !rests
  useEffect(() => {
    player.want(wanted)
  }, [player, wanted])
  useEffect(() => () => player.want(false), [player])
  // Without autoplay, whoever wants the next cycle presses again.
  useEffect(() => {
    if (!auto && (rests || !inUse)) choose(null)
  }, [auto, rests, inUse])
  const canTry = possible && rungs.length > 0 && why === null
  const asks = canTry && !auto && !on
  return { shown, player, on: wanted, toggle: () => choose(!on), cycle, asks, possible: canTry }
}

interface CycleNow extends Cycle {
  /** The server has begun to let it play for so long. */
  began: (leftMs: number | null) => void
  /** The server lets it rest for so long. */
  rests: (leftMs: number) => void
}

/** Play and rest where the plan has them: kept under `key`, counted each second. Null key: it plays on. */
function useCycle(key: string | null, playing: boolean): CycleNow | null {
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
