import type { PrintBase } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../../lib/clock.ts'
import { filament, millimetres, ms } from '../../../../lib/format.ts'
import { useTimeText } from '../../../../ui/time.tsx'
import type { StatusReading } from '../../../../printer/status.ts'
import styles from './ControlPage.module.css'
import { type Fact, Facts } from './Facts.tsx'

/** `1 h 12 min left`, and below it when that is. */
export function PrintTime({ reading }: { reading: StatusReading }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { duration, moment } = useTimeText()
  if (reading.leftS === null)
    return (
      <span className={styles.left}>
        <small>{t('job.estimating')}</small>
      </span>
    )
  return (
    <span className={styles.left}>
      {t('timeLeft', { duration: duration(reading.leftS) })}
      {!reading.paused && <small>{t('job.doneAt', { moment: moment(now + reading.leftS * 1000) })}</small>}
    </span>
  )
}

interface PrintFactsProps {
  reading: StatusReading
  print: PrintBase
  /** No card beside it says how long it takes. */
  whole: boolean
}

/** Layer, height, filament, times: each only when the agent knows it. */
export function PrintFacts({ reading, print, whole }: PrintFactsProps) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { duration, moment } = useTimeText()
  const startedAt = ms(print.started_at)
  const { layer, layers, z, maxZ, filamentSoFarMm: used, elapsedS, leftS } = reading
  const of = (part: string, whole: string | null) => (whole ? t('job.of', { part, whole }) : part)

  const facts: Fact[] = []
  if (layer !== null) facts.push([t('job.layer'), of(String(layer), layers === null ? null : String(layers))])
  if (z !== null)
    facts.push([
      t('job.height'),
      maxZ === null ? millimetres(z) : of(String(Number(z.toFixed(2))), millimetres(maxZ)),
    ])
  const total = reading.plannedFilamentMm ?? print.g_code_file?.filament_total ?? null
  if (used !== null)
    facts.push([t('job.filament'), of(filament(used), total === null ? null : filament(total))])
  if (whole && leftS !== null) facts.push([t('job.remaining'), duration(leftS)])
  if (whole && leftS !== null && !reading.paused)
    facts.push([t('job.finishingAt'), moment(now + leftS * 1000)])
  if (elapsedS !== null) facts.push([t('job.elapsed'), duration(elapsedS)])
  if (elapsedS !== null && leftS !== null) facts.push([t('job.total'), duration(elapsedS + leftS)])
  if (startedAt !== null) facts.push([t('job.started'), moment(startedAt)])

  return <Facts facts={facts} />
}
