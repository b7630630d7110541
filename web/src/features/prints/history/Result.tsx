import type { Print } from '@vigil/contract/prints/prints.ts'
import { band } from '@vigil/contract/watch/band.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { ms } from '../../../lib/format.ts'
import { thumbOf } from '../../../lib/thumbs.ts'
import { useWatchedText } from '../../../printer/watched-share.ts'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import styles from './History.module.css'
import { usePrintText } from './useTexts.ts'

/** How it ended, by shape and word. */
export function Result({ print }: { print: Print }) {
  const { t } = useTranslation('history')
  if (print.alert_overwrite === 'FAILED')
    return (
      <span className={styles.result} data-failed>
        <StatusMark shape="triangle" tone="bad" size={10} />
        {t('status.failed')}
      </span>
    )
  const isCancelled = print.cancelled_at !== null
  return (
    <span className={styles.result} data-cancelled={isCancelled || undefined}>
      <StatusMark shape={isCancelled ? 'cross' : 'dot'} tone={isCancelled ? 'quiet' : 'good'} size={10} />
      {t(isCancelled ? 'status.cancelled' : 'status.finished')}
    </span>
  )
}

/** What the detector saw, as a small line with a dot at its peak; dotted where nobody looked. What it says is said in words beside it. */
export function Curve({ print: { score_curve: curve, watched } }: { print: Print }) {
  const peak = peakOf(curve)
  if (!curve || peak === null)
    return <span className={styles.curve} data-unseen={watched?.seconds === 0 || undefined} aria-hidden />
  const xOf = (at: number) => (at / Math.max(1, curve.length - 1)) * 100
  const path = curve.map((score, at) => {
    if (score === null) return ''
    const isOpen = (curve[at - 1] ?? null) !== null
    return `${isOpen ? 'L' : 'M'}${xOf(at)} ${(1 - score) * 100}${isOpen ? '' : 'h0.1'}`
  })
  const at = curve.indexOf(peak)
  return (
    <span className={styles.curve} aria-hidden>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        <path d={path.join('')} />
      </svg>
      <i data-band={band(peak)} style={{ left: `${xOf(at)}%`, top: `${(1 - peak) * 100}%` }} />
    </span>
  )
}

const peakOf = (curve: Print['score_curve']): number | null =>
  curve?.reduce<number | null>((most, score) => (score === null ? most : Math.max(most ?? 0, score)), null) ??
  null

/** What was told of it while it printed, and what its owner said to that. */
export function Told({ print }: { print: Print }) {
  const { t } = useTranslation('history')
  const { t: tp } = useTranslation('printers')
  const { when } = usePrintText()
  const watched = useWatchedText()
  const at = ms(print.alerted_at)
  const lack = print.watched && watched.lack(print.watched)
  const why = print.watched ? watched.why(print.watched) : ''
  const thumb = thumbOf(print)
  if (at === null) {
    const peak = lack === null ? peakOf(print.score_curve) : null
    return (
      <span
        className={styles.told}
        data-band={peak === null ? undefined : band(peak)}
        title={lack && why ? t('row.notSeen', { why }) : undefined}
      >
        {lack ?? (peak === null ? t('row.quiet') : tp(`band.${band(peak)}`))}
      </span>
    )
  }
  return (
    <span className={styles.told} data-alerted>
      <StatusMark shape="triangle" tone="bad" size={11} />
      {[t('row.alerted', { moment: when(at) }), thumb && t(`row.said.${thumb}`)].filter(Boolean).join(' · ')}
    </span>
  )
}
