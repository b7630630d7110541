import { Box, Button, Group } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from '../../../../lib/translation.ts'
import { filament, ms } from '../../../../lib/format.ts'
import { neededFor } from '../../../../printer/driver/versions.ts'
import { lastPrintQuery } from '../../../../printer/printers.api.ts'
import { mayControl } from '../../../../printer/rights.ts'
import { reprintable } from '../../../../printer/reprint/reprint.ts'
import { useReprint } from '../../../../printer/reprint/useReprint.tsx'
import { isActive } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
import { Panel } from '../../../../ui/Panel.tsx'
import { StatusPill } from '../../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import styles from './ControlPage.module.css'
import { type Fact, Facts } from './Facts.tsx'

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
      <Group gap={12} wrap="nowrap" justify="space-between" mih={26}>
        <h3>{t('last.title')}</h3>
        <Outcome print={print} />
      </Group>
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
  const { duration, moment } = useTimeText()
  const startedAt = ms(print.started_at)
  const facts: Fact[] = []
  if (startedAt !== null) facts.push([t('job.started'), moment(startedAt)])
  if (print.print_time !== null) facts.push([t('last.took'), duration(print.print_time)])
  if (print.filament_used) facts.push([t('job.filament'), filament(print.filament_used)])
  return <Facts facts={facts} />
}

interface ReprintProps {
  printer: Printer
  transition: string | null
  print: Print
}

/** Prints the file of the last print again, where it lies on the printer. */
function Reprint({ printer, transition, print }: ReprintProps) {
  const { t } = useTranslation('printers')
  const { reprint, busy } = useReprint(printer, transition)
  const file = reprintable(printer, print)
  if (file === null || !mayControl(printer)) return null
  if (file === 'tooOld') return <p className={styles.truth}>{t('reprint.tooOld', neededFor('reprint'))}</p>
  return (
    <Box mt={14}>
      <Button
        size="compact-md"
        leftSection={<IconRepeat size={16} stroke={1.75} />}
        loading={busy}
        disabled={transition !== null}
        onClick={() => void reprint(print, file)}
      >
        {t('reprint.button')}
      </Button>
    </Box>
  )
}
