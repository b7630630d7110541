import { Group } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { IconChevronLeft, IconPlugConnectedX } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { LineNote } from '../../../printer/LineNote.tsx'
import { NoPrinter } from '../../../printer/NoPrinter.tsx'
import { agentCan, neededFor } from '../../../printer/driver/versions.ts'
import { useLive } from '../../../printer/live/printer-line.ts'
import { printerQuery } from '../../../printer/printers.api.ts'
import { isOffline } from '../../../printer/state.ts'
import { StatePill } from '../../../printer/StatePill.tsx'
import { usePrinterTab } from '../../../printer/tab.ts'
import { useTransition } from '../../../printer/useTransition.ts'
import styles from './Terminal.module.css'
import { TerminalView } from './TerminalView.tsx'

/** The terminal over the whole window. */
export default function TerminalScreen() {
  const { t } = useTranslation(['terminal', 'printers', 'common'])
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(useId()))

  if (printer) return <TerminalPage printer={printer} />
  if (isPending)
    return <div role="status" aria-busy="true" aria-label={t('common:loading')} className={styles.page} />
  return <NoPrinter error={error} onRetry={refetch} />
}

function TerminalPage({ printer }: { printer: Printer }) {
  const { t } = useTranslation('terminal')
  const line = useLive(printer.id)
  const transition = useTransition(printer)
  usePrinterTab(printer, transition, t('pageTitle', { name: printer.name }))
  const navigate = useNavigate()
  useShortcut('goControl', () => void navigate({ to: paths.control(printer.id) }))
  const back = { to: paths.control(printer.id), label: t('back', { name: printer.name }) }

  // Without an agent that can, or a printer that is there, the page is the reason.
  const reason = isOffline(printer)
    ? t('offline')
    : agentCan(printer, 'terminal')
      ? null
      : t('tooOld', neededFor('terminal'))
  if (reason)
    return (
      <>
        <PageHeader
          back={back}
          title={t('title')}
          note={<StatePill printer={printer} transition={transition} />}
        />
        <Notice picture={<IconPlugConnectedX size={40} stroke={1.25} />} title={reason} />
      </>
    )

  return (
    <div className={styles.page}>
      <TerminalView
        printer={printer}
        line={line}
        title={
          <Group gap={10} wrap="nowrap" miw={0}>
            <Link to={back.to} className={styles.back} aria-label={back.label}>
              <IconChevronLeft size={20} stroke={1.75} />
            </Link>
            <h1 className={styles.pageTitle}>
              {t('title')} <small>{printer.name}</small>
            </h1>
            <StatePill printer={printer} transition={transition} />
          </Group>
        }
      />
      <LineNote state={line} />
    </div>
  )
}
