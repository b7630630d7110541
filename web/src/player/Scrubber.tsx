import { Box, Flex } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useMemo } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { band } from '@vigil/contract/watch/band.ts'
import { Bands } from '../ui/Bands.tsx'
import { clockTime } from '../lib/format.ts'
import { CURVE_HEIGHT, curveOf, frameAt, type Gap, gapAt, scoreAt } from './predictions.ts'
import styles from './Player.module.css'
import type { Playback } from './usePlayback.ts'

/** A moment of the print that is marked on the time axis. */
export interface Mark {
  /** 0 to 1. */
  readonly position: number
  readonly label: string
}

interface ScrubberProps {
  playback: Playback
  /** Of each frame; empty where nothing is known. */
  scores: readonly (number | null)[]
  /** When each frame was taken, in ms; empty where that isn't told. */
  times: readonly number[]
  /** How many pictures the arrow keys step through. */
  frames: number
  marks: readonly Mark[]
  gaps: readonly Gap[]
}

/** The time axis: the score curve, where a click, a drag or the arrow keys go to a picture. */
export function Scrubber({ playback, scores, times, frames, marks, gaps }: ScrubberProps) {
  const { t } = useTranslation('player')
  const said = useSaid()
  const { position } = playback
  const at = frameAt(frames, position)
  const score = scoreAt(scores, position)
  return (
    <div className={styles.axis}>
      <div
        className={styles.scrubber}
        data-curve={scores.length > 0 || undefined}
        role="slider"
        tabIndex={0}
        aria-label={t('scrubber')}
        aria-valuemin={1}
        aria-valuemax={frames}
        aria-valuenow={at + 1}
        aria-valuetext={said({ at, frames, score, gap: gapAt(gaps, scores.length, position) })}
        {...handlers(playback, at, frames)}
      >
        {scores.length > 0 ? (
          <Curve scores={scores} gaps={gaps} />
        ) : (
          <Box component="span" pos="absolute" inset="calc(50% - 3px) 0" bdrs={3} bg="var(--v-line)" />
        )}
        {marks.map((mark) => (
          <MarkLine key={`${mark.position}${mark.label}`} mark={mark} />
        ))}
        <Playhead position={position} score={score} time={times[at] ?? null} />
      </div>
      {times.length > 0 && <Hours times={times} />}
    </div>
  )
}

/** What a pointer and the keys do on the axis. */
function handlers({ seek, toggle }: Playback, at: number, frames: number) {
  function point(event: PointerEvent<HTMLDivElement>) {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    seek((event.clientX - left) / (width || 1))
  }
  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const to = targetOf(event.key, at, frames)
    if (to !== null) seek(to)
    else if (event.key === ' ') toggle()
    else return
    event.preventDefault()
  }
  return { onPointerDown: point, onPointerMove: point, onKeyDown: press }
}

function MarkLine({ mark: { position, label } }: { mark: Mark }) {
  return (
    <span className={styles.mark} style={{ left: `${position * 100}%` }} title={label}>
      <svg viewBox="0 0 12 11" aria-hidden>
        <path d="M6 0l6 11H0z" />
      </svg>
    </span>
  )
}

/** Where a key leads, as a position; null when it means nothing here. */
function targetOf(key: string, at: number, frames: number): number | null {
  const tenth = Math.max(1, Math.round(frames / 10))
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -tenth,
    PageUp: tenth,
  }
  if (key === 'Home') return 0
  if (key === 'End') return 1
  return Object.hasOwn(steps, key) ? (at + (steps[key] ?? 0)) / Math.max(1, frames) : null
}

/** What a screen reader says of a place on the axis. */
function useSaid() {
  const { t } = useTranslation('player')
  const { t: tp } = useTranslation('printers')
  const why = useWhy()
  return ({
    at,
    frames,
    score,
    gap,
  }: {
    at: number
    frames: number
    score: number | null
    gap: Gap | null
  }) => {
    const place = t('place', { at: at + 1, count: frames })
    if (score === null) return gap ? `${place} · ${why(gap)}` : place
    return t('placeScore', { place, score: Math.round(score * 100), verdict: tp(`band.${band(score)}`) })
  }
}

/** `Not looked at: the picture is too dark`. */
function useWhy() {
  const { t } = useTranslation('player')
  return ({ why }: Gap) => (why.length === 0 ? t('unseen') : t('unseenWhy', { why: why.join(', ') }))
}

/** The thirds of the gauge as grounds, and the line over them. */
function Curve({ scores, gaps }: Pick<ScrubberProps, 'scores' | 'gaps'>) {
  const why = useWhy()
  const path = useMemo(() => curveOf(scores, gaps), [scores, gaps])
  return (
    <>
      <svg
        className={styles.curve}
        viewBox={`0 0 1000 ${CURVE_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <Bands />
        <path d={path} />
      </svg>
      {gaps.map((gap) => (
        <span
          key={gap.from}
          className={styles.gap}
          data-bare={gap.from === gap.to || undefined}
          style={{ left: `${gap.from * 100}%`, width: `${(gap.to - gap.from) * 100}%` }}
          title={why(gap)}
        />
      ))}
    </>
  )
}

interface PlayheadProps {
  position: number
  score: number | null
  time: number | null
}

function Playhead({ position, score, time }: PlayheadProps) {
  const said = [time === null ? null : clockTime(time), score === null ? null : Math.round(score * 100)]
  const text = said.filter((one) => one !== null).join(' · ')
  return (
    <span className={styles.playhead} style={{ left: `${position * 100}%` }} aria-hidden>
      {text && (
        <span className={styles.bubble} style={{ translate: `${-position * 100}% 0` }}>
          {text}
        </span>
      )}
      {score !== null && <span className={styles.dot} style={{ top: `${(1 - score) * 100}%` }} />}
    </span>
  )
}

const SHARES = [0, 1 / 3, 2 / 3, 1]

/** The time of day along the axis. */
function Hours({ times }: { times: readonly number[] }) {
  return (
    <Flex justify="space-between" mt={6} fz={12} c="var(--v-faint)" aria-hidden>
      {SHARES.map((share) => {
        const at = times[frameAt(times.length, share)]
        return <span key={share}>{at === undefined ? '' : clockTime(at)}</span>
      })}
    </Flex>
  )
}
