import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconFileCode, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Bar } from '../../../../ui/Bar.tsx'
import { percent } from '../../../../lib/format.ts'
import { lazyDialog } from '../../../../ui/lazily.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import { hasOpenAlert, isChanging, wordOf } from '../../../../printer/state.ts'
import { heatsFirst, readStatus, type StatusReading } from '../../../../printer/status.ts'
import type { useCommands } from '../../../../printer/useCommands.ts'
import { useWords } from '../../../../printer/words.ts'
import styles from './ControlPage.module.css'
import { LastPrint } from './LastPrint.tsx'
import { PrintFacts, PrintTime } from './PrintFacts.tsx'

const FilePicker = lazyDialog(async () => (await import('./FilePicker.tsx')).FilePicker)

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
  if (!print) return <Idle printer={printer} transition={transition} reading={reading} part={part} />

  const { completion } = reading
  return (
    <Panel live title={part === 'progress' ? t('progress') : t('job.title')}>
      {part !== 'progress' && (
        <>
          <div className={styles.jobHead}>
            <span className={styles.number}>{completion === null ? '–' : percent(completion)}</span>
            <PrintTime reading={reading} />
          </div>
          <Bar
            value={completion ?? 0}
            color={hasOpenAlert(printer) ? 'bad' : 'accent'}
            aria-label={t('progress')}
          />
          <p className={styles.filename}>{print.filename}</p>
        </>
      )}
      {part !== 'progress' && <Trouble reading={reading} />}
      {part !== 'control' && <PrintFacts reading={reading} print={print} whole={part === 'progress'} />}
      {part !== 'progress' && <JobButtons printer={printer} transition={transition} commands={commands} />}
    </Panel>
  )
}

/** What the printer itself complains of, or waits for. */
function Trouble({ reading }: { reading: StatusReading }) {
  const { t } = useTranslation('printers')
  if (!reading.needsOwner && !reading.error) return null
  return (
    <p className={styles.trouble} role="status">
      {reading.needsOwner && t('job.needsOwner')}{' '}
      {reading.error && t('control.printerSays', { message: reading.error })}
    </p>
  )
}

interface IdleProps {
  printer: Printer
  transition: string | null
  reading: StatusReading
  part: 'control' | 'progress' | undefined
}

function Idle({ printer, transition, reading, part }: IdleProps) {
  const { t } = useTranslation('printers')
  if (reading.disconnected) return null
  const ready = reading.operational && reading.ready && transition === null
  if (part === 'progress') return <LastPrint printer={printer} transition={transition} alone />
  return (
    <Panel live title={t('job.title')}>
      <Trouble reading={reading} />
      {transition === null ? (
        <p>{ready ? t('job.ready') : t('job.busy')}</p>
      ) : (
        <Awaited {...{ printer, transition }} />
      )}
      {ready && <p className={styles.hint}>{t('job.readyHint')}</p>}
      {ready && <ChooseFile printer={printer} />}
      {part !== 'control' && <LastPrint printer={printer} transition={transition} />}
    </Panel>
  )
}

/** Has a file to print chosen, in the cloud or on the printer. */
function ChooseFile({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printer-files')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.actions}>
      <Button leftSection={<IconFileCode size={17} stroke={1.75} />} onClick={() => setOpen(true)}>
        {t('pick.button')}
      </Button>
      {isOpen && <FilePicker printer={printer} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** The state that the printer is on its way to, and what holds it up. */
function Awaited({ printer, transition }: { printer: Printer; transition: string | null }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const reading = readStatus(printer)
  const next = transition ?? reading?.text ?? ''
  const stops = next === 'Pausing' || next === 'Cancelling'
  return (
    <p className={styles.truth} role="status">
      {t('job.waitingFor', { state: words.state(wordOf(next)) })}
      {stops && heatsFirst(reading) && ` · ${t('job.heatsFirst')}`}
    </p>
  )
}

function JobButtons({ printer, transition, commands }: PrintWidgetProps) {
  const { t } = useTranslation('printers')
  const reading = readStatus(printer)
  const changing = isChanging(reading, transition)
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
      {changing && <Awaited printer={printer} transition={transition} />}
    </>
  )
}
