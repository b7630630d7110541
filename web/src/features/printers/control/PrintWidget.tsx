import { Button, Progress } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { percent } from '../../../lib/format.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { hasOpenAlert, isActive, shownState } from '../state.ts'
import { readStatus, type StatusReading } from '../status.ts'
import type { useCommands } from '../useCommands.ts'
import { useWords } from '../words.ts'
import styles from './ControlPage.module.css'
import { LastPrint } from './LastPrint.tsx'
import { PrintFacts, PrintTime } from './PrintFacts.tsx'

interface PrintWidgetProps {
  printer: Printer
  transition: string | null
  commands: ReturnType<typeof useCommands>
  /** Both in one card unless the owner put them apart. */
  part?: 'control' | 'progress'
}

/** How far it is, when it is done, and the buttons that stop it. */
export function PrintWidget({ printer, transition, commands, part }: PrintWidgetProps) {
  const { t } = useTranslation('printers')
  const reading = readStatus(printer)
  const print = printer.current_print
  if (!reading) return null
  if (!print) return <Idle printerId={printer.id} reading={reading} part={part} />

  const { completion } = reading
  return (
    <Panel title={part === 'progress' ? t('progress') : t('job.title')}>
      {part !== 'progress' && (
        <>
          <div className={styles.jobHead}>
            <span className={styles.number}>{completion === null ? '–' : percent(completion)}</span>
            <PrintTime reading={reading} />
          </div>
          <Progress
            value={completion ?? 0}
            color={hasOpenAlert(printer) ? 'bad' : 'accent'}
            aria-label={t('progress')}
          />
          <p className={styles.filename}>{print.filename}</p>
        </>
      )}
      {part !== 'control' && <PrintFacts reading={reading} print={print} />}
      {part !== 'progress' && <JobButtons printer={printer} transition={transition} commands={commands} />}
    </Panel>
  )
}

interface IdleProps {
  printerId: number
  reading: StatusReading
  part: 'control' | 'progress' | undefined
}

function Idle({ printerId, reading, part }: IdleProps) {
  const { t } = useTranslation('printers')
  if (reading.disconnected) return null
  const ready = reading.operational && reading.ready
  if (part === 'progress') return <LastPrint printerId={printerId} alone />
  return (
    <Panel title={t('job.title')}>
      <p>{ready ? t('job.ready') : t('job.busy')}</p>
      {ready && <p className={styles.hint}>{t('job.readyHint')}</p>}
      {part !== 'control' && <LastPrint printerId={printerId} />}
    </Panel>
  )
}

function JobButtons({ printer, transition, commands }: PrintWidgetProps) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const reading = readStatus(printer)
  const changing = transition !== null || (isActive(reading, null) && !reading?.paused && !reading?.printing)
  const disabled = commands.busy || changing
  return (
    <>
      <div className={styles.actions}>
        {reading?.paused ? (
          <Button
            variant={hasOpenAlert(printer) ? 'default' : 'filled'}
            leftSection={<IconPlayerPlayFilled size={14} />}
            disabled={disabled}
            onClick={() => void commands.resume()}
          >
            {t('resume.button')}
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerPauseFilled size={14} />}
            disabled={disabled}
            onClick={() => void commands.pause()}
          >
            {t('pause.button')}
          </Button>
        )}
        <Button variant="outline" color="bad" disabled={disabled} onClick={() => void commands.cancel()}>
          {t('cancel.button')}
        </Button>
      </div>
      {changing && (
        <p className={styles.truth} role="status">
          {t('job.waitingFor', { state: words.state(shownState(printer, transition).word) })}
        </p>
      )}
    </>
  )
}
