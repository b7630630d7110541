import type { ReplayCurve } from '@vigil/contract/prints/replay.ts'
import { type KeyboardEvent, type PointerEvent, useMemo } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useTimeText } from '../../../ui/time.tsx'
import { gaugeAt, pathOf } from './curves.ts'
import { Bands } from '../../../ui/Bands.tsx'
import styles from './Replay.module.css'

const SHARES = [0, 0.25, 0.5, 0.75, 1]
/** The arrow keys go so much of the print, and ten times that. */
const STEP = 0.005
const BIG_STEP = 0.05

interface CurvesProps {
  was: ReplayCurve
  now: ReplayCurve | undefined
  seconds: number
  at: number
  onAt: (seconds: number) => void
}

/** What a key moves it by, as a share of the print. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -STEP],
  ['ArrowRight', STEP],
  ['PageDown', -BIG_STEP],
  ['PageUp', BIG_STEP],
  ['Home', -1],
  ['End', 1],
])

/** Both gauges over the print, with where each first warned and paused; a click, a drag or the arrow keys go to a moment. */
export function Curves({ was, now, seconds, at, onAt }: CurvesProps) {
  const { t } = useTranslation('replay')
  const { duration } = useTimeText()
  const said = useSaid()
  const share = (moment: number) => Math.min(1, Math.max(0, moment / Math.max(1, seconds)))

  function point(event: PointerEvent<HTMLDivElement>) {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onAt(seconds * Math.min(1, Math.max(0, (event.clientX - left) / (width || 1))))
  }

  function press(event: KeyboardEvent) {
    const step = STEPS.get(event.key)
    if (step === undefined) return
    event.preventDefault()
    onAt(Math.min(seconds, Math.max(0, at + step * seconds)))
  }

  return (
    <div>
      <div
        className={styles.chart}
        role="slider"
        tabIndex={0}
        aria-label={t('moment')}
        aria-valuemin={0}
        aria-valuemax={Math.round(seconds)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={said(was, now, at)}
        onPointerDown={point}
        onPointerMove={point}
        onKeyDown={press}
      >
        <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden>
          <Bands />
          <Line curve={was} seconds={seconds} kind="was" />
          {now && <Line curve={now} seconds={seconds} kind="now" />}
        </svg>
        <Marks curve={was} kind="was" share={share} />
        {now && <Marks curve={now} kind="now" share={share} />}
        <span className={styles.head} style={{ left: `${share(at) * 100}%` }} aria-hidden />
      </div>
      <div className={styles.hours} aria-hidden>
        {SHARES.map((one) => (
          <span key={one}>{duration(one * seconds)}</span>
        ))}
      </div>
      <p className={styles.readout}>{said(was, now, at)}</p>
    </div>
  )
}

function Line({ curve, seconds, kind }: { curve: ReplayCurve; seconds: number; kind: 'was' | 'now' }) {
  const path = useMemo(() => pathOf(curve, seconds), [curve, seconds])
  return <path d={path} className={styles[kind]} />
}

interface MarksProps {
  curve: ReplayCurve
  kind: 'was' | 'now'
  share: (seconds: number) => number
}

/** A triangle where it first warned, two bars where it first paused: then hollow, now full. */
function Marks({ curve: { warned, paused }, kind, share }: MarksProps) {
  const { t } = useTranslation('replay')
  return (
    <>
      {warned !== null && (
        <span
          className={styles.mark}
          data-kind={kind}
          style={{ left: `${share(warned) * 100}%` }}
          title={t(`marks.warned.${kind}`)}
        >
          <svg viewBox="0 0 12 11" width={14} height={13} aria-hidden>
            <path d="M6 1l5 9H1z" />
          </svg>
        </span>
      )}
      {paused !== null && (
        <span
          className={styles.mark}
          data-kind={kind}
          data-paused
          style={{ left: `${share(paused) * 100}%` }}
          title={t(`marks.paused.${kind}`)}
        >
          <svg viewBox="0 0 12 11" width={14} height={13} aria-hidden>
            <path d="M2 1h3v9H2zM7 1h3v9H7z" />
          </svg>
        </span>
      )}
    </>
  )
}

/** `At 1 h 12 min: then 34, now 12`. */
function useSaid() {
  const { t } = useTranslation('replay')
  const { duration } = useTimeText()
  const number = (curve: ReplayCurve | undefined, at: number) => {
    const value = curve && gaugeAt(curve, at)
    return value === null || value === undefined ? '–' : Math.round(value)
  }
  return (was: ReplayCurve, now: ReplayCurve | undefined, at: number) =>
    t('at', { moment: duration(at), was: number(was, at), now: number(now, at) })
}
