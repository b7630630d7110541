import { Box, Button, Group } from '@mantine/core'
import { IconFileCode, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { PrintBase } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { useNow } from '../../../../lib/clock.ts'
import { percent, filament, millimetres, ms } from '../../../../lib/format.ts'
import { isMine } from '../../../../printer/rights.ts'
import { hasOpenAlert, isChanging, wordOf } from '../../../../printer/state.ts'
import { heatsFirst, readStatus, type StatusReading } from '../../../../printer/status.ts'
import type { useCommands } from '../../../../printer/useCommands.ts'
import { useWords } from '../../../../printer/words.ts'
import { Bar } from '../../../../ui/Bar.tsx'
import { lazyDialog } from '../../../../ui/lazily.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import styles from './ControlPage.module.css'
import { type Fact, Facts } from './Facts.tsx'
import { LastPrint } from './LastPrint.tsx'

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
          <Group gap={12} wrap="nowrap" justify="space-between" mb={12}>
            <Box component="span" fz={34} lh={1.1} fw={650} lts="-0.02em">
              {completion === null ? '–' : percent(completion)}
            </Box>
            <PrintTime reading={reading} />
          </Group>
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
      {ready && isMine(printer) && (
        <>
          <p className={styles.hint}>{t('job.readyHint')}</p>
          <ChooseFile printer={printer} />
        </>
      )}
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

/** `1 h 12 min left`, and below it when that is. */
function PrintTime({ reading }: { reading: StatusReading }) {
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
function PrintFacts({ reading, print, whole }: PrintFactsProps) {
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
