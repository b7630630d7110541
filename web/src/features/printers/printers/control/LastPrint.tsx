import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { filament, ms } from '../../../../lib/format.ts'
import { Panel } from '../../../../ui/Panel.tsx'
import { StatusPill } from '../../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { lastPrintQuery } from '../../../../printer/printers.api.ts'
import { isActive } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
import styles from './ControlPage.module.css'
import { type Fact, Facts } from './Facts.tsx'
import { Reprint } from './Reprint.tsx'

interface LastPrintProps {
  printer: Printer
  transition: string | null
  /** In a card of its own. */
  alone?: boolean
}

/** How the print before went, and a way to make it again; nothing where there was none. */
export function LastPrint({ printer, transition, alone }: LastPrintProps) {
  const { t } = useTranslation('printers')
  const isBusy = isActive(readStatus(printer), transition)
  const { data: print } = useQuery(lastPrintQuery(printer.id, isBusy))
  if (!print) return null
  const facts = (
    <>
      <p className={styles.filename}>{print.filename}</p>
      <LastFacts print={print} />
      <Reprint printer={printer} transition={transition} print={print} />
    </>
  )
  if (alone)
    return (
      <Panel title={t('last.title')} aside={<Outcome print={print} />}>
        {facts}
      </Panel>
    )
  return (
    <div className={styles.last}>
      <div className={styles.lastHead}>
        <h3>{t('last.title')}</h3>
        <Outcome print={print} />
      </div>
      {facts}
    </div>
  )
}

function Outcome({ print }: { print: Print }) {
  const { t } = useTranslation('printers')
  if (print.cancelled_at)
    return (
      <StatusPill shape="cross" tone="quiet">
        {t('last.cancelled')}
      </StatusPill>
    )
  if (!print.finished_at) return null
  return (
    <StatusPill shape="dot" tone="good">
      {t('last.finished')}
    </StatusPill>
  )
}

function LastFacts({ print }: { print: Print }) {
  const { t } = useTranslation('printers')
  const { durationByMetres: duration, moment } = useTimeText()
  const startedAt = ms(print.started_at)
  const facts: Fact[] = []
  if (startedAt !== null) facts.push([t('job.started'), moment(startedAt)])
  if (print.print_time !== null) facts.push([t('last.took'), duration(print.print_time)])
  if (print.filament_used) facts.push([t('job.filament'), filament(print.filament_used)])
  return <Facts facts={facts} />
}
