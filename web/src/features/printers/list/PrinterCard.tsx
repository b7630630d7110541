import { Progress } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { Link } from '@tanstack/react-router'
import { memo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/clock.ts'
import { degrees, ms, percent } from '../../../lib/format.ts'
import { useOnScreen } from '../../../lib/useOnScreen.ts'
import { paths } from '../../../lib/paths.ts'
import { useTimeText } from '../../../ui/time.tsx'
import { AlertBox } from '../AlertBox.tsx'
import { CameraPicture } from '../CameraPicture.tsx'
import { useLive } from '../live.ts'
import { hasOpenAlert, isOffline, isWaiting } from '../state.ts'
import { StatePill } from '../StatePill.tsx'
import { readStatus, type StatusReading } from '../status.ts'
import { useCommands } from '../useCommands.ts'
import { useTransition } from '../useTransition.ts'
import { useWords } from '../words.ts'
import styles from './PrinterCard.module.css'
import { WatchLine } from './WatchLine.tsx'

/** One printer at a glance: is it printing, is it watched, does it need me. */
export const PrinterCard = memo(function PrinterCard({ printer }: { printer: Printer }) {
  const ref = useRef<HTMLElement>(null)
  useLive(printer.id, useOnScreen(ref))
  const transition = useTransition(printer)
  const commands = useCommands(printer)
  const reading = readStatus(printer)
  const alerting = hasOpenAlert(printer)

  return (
    <article ref={ref} className={styles.card} data-alert={alerting || undefined}>
      <div className={styles.picture}>
        <CameraPicture
          printer={printer}
          frameRatio={16 / 9}
          fill={!alerting}
          topLeft={<StatePill printer={printer} transition={transition} onPicture />}
        />
      </div>
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 className={styles.name}>
            <Link to={paths.control(printer.id)} className={styles.link}>
              {printer.name}
            </Link>
          </h2>
          {reading && printer.current_print && <TimeLeft reading={reading} printer={printer} />}
        </div>
        {printer.current_print ? (
          <CardProgress printer={printer} reading={reading} alerting={alerting} />
        ) : (
          <IdleLine printer={printer} />
        )}
      </div>
      {alerting && <AlertBox printer={printer} commands={commands} />}
      {!alerting && !isOffline(printer) && <WatchLine printer={printer} />}
      {!alerting && reading && reading.heaters.length > 0 && <CardTemperatures reading={reading} />}
    </article>
  )
})

function TimeLeft({ reading, printer }: { reading: StatusReading; printer: Printer }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { duration, moment, span } = useTimeText()
  const pausedAt = ms(printer.current_print?.paused_at)
  if (reading.paused && pausedAt && hasOpenAlert(printer))
    return <span className={styles.time}>{t('pausedFor', { span: span((now - pausedAt) / 1000) })}</span>
  if (reading.leftS === null || reading.paused) return null
  return (
    <span className={styles.time}>
      {t('timeLeft', { duration: duration(reading.leftS) })} · {moment(now + reading.leftS * 1000)}
    </span>
  )
}

function CardProgress({
  printer,
  reading,
  alerting,
}: {
  printer: Printer
  reading: StatusReading | null
  alerting: boolean
}) {
  const { t } = useTranslation('printers')
  const completion = reading?.completion ?? null
  return (
    <>
      <Progress
        value={completion ?? 0}
        color={alerting ? 'bad' : 'accent'}
        aria-label={t('progress')}
        className={styles.progress}
      />
      <div className={styles.file}>
        <span className={styles.filename} title={printer.current_print?.filename}>
          {printer.current_print?.filename}
        </span>
        {completion !== null && <strong>{percent(completion)}</strong>}
      </div>
    </>
  )
}

function IdleLine({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const reading = readStatus(printer)
  if (isWaiting(printer)) return <p className={styles.idle}>{t('idle.waiting')}</p>
  if (!reading) return <p className={styles.idle}>{t('idle.offline')}</p>
  if (reading.disconnected) return <p className={styles.idle}>{reading.error ?? t('idle.disconnected')}</p>
  return (
    <p className={styles.idle}>{reading.operational && reading.ready ? t('idle.ready') : t('idle.busy')}</p>
  )
}

/** The first two, and others only while they heat: a card has one line for them. */
function shownHeaters({ heaters }: StatusReading) {
  return heaters.filter((heater, at) => at < 2 || (heater.target ?? 0) > 0)
}

function CardTemperatures({ reading }: { reading: StatusReading }) {
  const words = useWords()
  return (
    <dl className={styles.temperatures}>
      {shownHeaters(reading).map((heater) => (
        <div key={heater.key}>
          <dt>{words.heater(heater)}</dt>
          <dd>
            <strong>{degrees(heater.actual)}</strong>
            {heater.target ? <span className={styles.faint}> / {Math.round(heater.target)}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
