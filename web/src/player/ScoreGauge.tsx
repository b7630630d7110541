import { useTranslation } from '../lib/translation.ts'
import { band } from '@vigil/contract/watch/band.ts'
import { Gauge } from '../ui/Gauge.tsx'
import styles from './Player.module.css'
import { scoreAt } from './predictions.ts'

interface ScoreGaugeProps {
  /** Of each frame (`scoresOf`). */
  scores: readonly (number | null)[]
  /** 0 to 1. */
  position: number
  /** Why nobody looked, if that is known. */
  why?: readonly string[]
}

/** The gauge at a position of the time-lapse, with its word. */
export function ScoreGauge({ scores, position, why = [] }: ScoreGaugeProps) {
  const { t } = useTranslation('player')
  const { t: tp } = useTranslation('printers')
  const score = scoreAt(scores, position)
  const word = score === null ? t('unseen') : tp(`band.${band(score)}`)
  return (
    <div className={styles.gauge}>
      <Gauge value={score} label={t('gauge', { verdict: word })} />
      <div>
        <strong data-band={score === null ? undefined : band(score)}>{word}</strong>
        {score === null && why.length > 0 && <p>{why.join(', ')}</p>}
        {score !== null && <p>{t('of100', { score: Math.round(score * 100) })}</p>}
      </div>
    </div>
  )
}
