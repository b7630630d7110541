import { Anchor } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import type { WatchedShare } from '@vigil/contract/watch/watch-code.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverNow } from '../../../lib/clock.ts'
import { dateAndTime, filament, ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useLive } from '../../../printer/live/printer-line.ts'
import { readStatus } from '../../../printer/status.ts'
import { useWatchedText } from '../../../printer/watched-share.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { isRunning } from './lapse.rules.ts'
import styles from './PrintPage.module.css'
import type { PrinterOf } from './usePrinterOf.ts'

interface PrintFactsProps {
  print: Print
  printer: PrinterOf
}

/** How long it took, and what is known of it. */
export function PrintFacts({ print, printer }: PrintFactsProps) {
  const { t } = useTranslation('print-page')
  const runs = isRunning(print)
  return (
    <Panel title={t('facts.title')} live={runs}>
      {runs && print.printer && <Following printerId={print.printer.id} />}
      <Took print={print} printer={printer.data} />
      <WhatIsKnown print={print} printer={printer} />
    </Panel>
  )
}

/** Keeps a print that runs true while it is looked at. */
function Following({ printerId }: { printerId: number }) {
  const { t } = useTranslation('print-page')
  const line = useLive(printerId)
  return (
    <p className={styles.quiet} role="status">
      {t(line === 'open' ? 'facts.follows' : 'facts.runs')}{' '}
      <Anchor renderRoot={(props) => <Link {...props} to={paths.control(printerId)} />}>
        {t('facts.toControl')}
      </Anchor>
    </p>
  )
}

/** The one number that counts: the time that it printed, which of a print that runs its printer tells. */
function Took({ print, printer }: { print: Print; printer: Printer | undefined }) {
  const { t } = useTranslation('print-page')
  const { duration } = useTimeText()
  const runs = isRunning(print)
  const reading = runs && printer?.current_print?.id === print.id ? readStatus(printer) : null
  const seconds = print.print_time ?? reading?.elapsedS ?? null
  if (seconds === null || print.uploaded_at !== null) return null
  return (
    <p className={styles.took}>
      <strong>{duration(seconds)}</strong> <span>{t(runs ? 'facts.soFar' : 'facts.took')}</span>
    </p>
  )
}

/** `Nov 18, 2026, 2:14`. */
function useLongTime() {
  const { i18n } = useTranslation()
  return (at: string | null) => {
    const time = ms(at)
    return time === null ? null : dateAndTime(i18n.language, Math.min(time, serverNow() + 86_400_000))
  }
}

function WhatIsKnown({ print, printer }: PrintFactsProps) {
  const { t } = useTranslation('print-page')
  const long = useLongTime()
  const rows: [string, ReactNode][] = [
    [t('facts.printer'), <PrinterName key="printer" print={print} printer={printer} />],
    [t('facts.uploaded'), long(print.uploaded_at)],
    [t('facts.started'), long(print.started_at)],
    [t(print.cancelled_at ? 'facts.cancelled' : 'facts.ended'), long(print.ended_at)],
    [t('facts.paused'), long(print.paused_at)],
    [t('facts.watched'), print.watched && <WatchedFact key="watched" share={print.watched} />],
    [t('facts.filament'), print.filament_used === null ? null : filament(print.filament_used)],
  ]
  return <Facts rows={rows} />
}

/** `89 % · not seen: the picture is too dark`. */
function WatchedFact({ share }: { share: WatchedShare }) {
  const { t } = useTranslation('print-page')
  const watched = useWatchedText()
  const why = watched.why(share)
  return <>{[watched.share(share), why && t('facts.notSeen', { why })].filter(Boolean).join(' · ')}</>
}

/** Leads to it, while it is there. */
function PrinterName({ print, printer }: PrintFactsProps) {
  const { t } = useTranslation('print-page')
  const { t: tp } = useTranslation('printers')
  const base = print.printer
  if (base === null) return <>{t('facts.noPrinter')}</>
  if (printer.isDeleted)
    return (
      <>
        <bdi>{base.name}</bdi> · {tp('deleted.title')}
      </>
    )
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={paths.control(base.id)} />}>
      <bdi>{base.name}</bdi>
    </Anchor>
  )
}
