import { Box, Group } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useNow } from '../../../lib/clock.ts'
import { ms } from '../../../lib/format.ts'
import { MiniGauge } from '../../../ui/Gauge.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './AlertBox.module.css'
import { AlertActions } from '../../../printer/AlertActions.tsx'
import { alertedSince, isPausedByUs, isPrintingOn } from '../../../printer/state.ts'
import { readStatus } from '../../../printer/status.ts'
import type { useCommands } from '../../../printer/useCommands.ts'
import { alertVerdict, watching } from '../../../printer/watching.ts'
import { useWords } from '../../../printer/words.ts'

interface AlertBoxProps {
  printer: Printer
  transition: string | null
  commands: ReturnType<typeof useCommands>
  standing?: boolean
}

/** The one loud thing on the screen: what was noticed, what will come of it, and the buttons that matter. */
export function AlertBox({ printer, transition, commands, standing }: AlertBoxProps) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { span } = useTimeText()
  const reading = readStatus(printer)
  const at = alertedSince(printer)
  const since = at === null ? '' : span((now - at) / 1000)
  const key = isPausedByUs(printer) ? 'alert.paused' : 'alert.noticed'
  const goesOn = isPrintingOn(printer)

  return (
    <div className={styles.alert} role="alert" data-standing={standing || undefined}>
      <p>
        <strong>{t('alert.title')}</strong>{' '}
        <span aria-live="off">
          {reading?.layer
            ? t(`${key}AtLayer`, { span: since, layer: reading.layer })
            : t(key, { span: since })}
        </span>
      </p>
      <Verdict printer={printer} />
      {goesOn && <Outlook printer={printer} />}
      <AlertActions printer={printer} transition={transition} commands={commands} />
    </div>
  )
}

/** How sure it was when it alerted; what the gauge says by now stands elsewhere. */
function Verdict({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const verdict = alertVerdict(printer)
  if (verdict === null) return null
  return (
    <Group component="p" gap={10} wrap="nowrap" mt={8}>
      <MiniGauge value={verdict.value} />
      {t('alert.verdict', { verdict: t(`band.${verdict.band}`) })}
    </Group>
  )
}

/** Whether the print will be paused without its owner, and when. */
function Outlook({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const { moment } = useTimeText()
  const now = watching(printer)
  const { pause, pause_from } = printer.alert ?? { pause: 'off', pause_from: null }
  const from = ms(pause_from)
  function text(): string {
    if (pause === 'sent' || pause === 'spent') return t(`alert.outlook.${pause}`)
    if (now.kind === 'blind' || now.kind === 'off')
      return t(`alert.outlook.${now.kind}`, { reason: words.reason(now.code, now.said) })
    if (pause === 'off') return t('alert.outlook.tellOnly')
    const when = t('alert.outlook.whenFailing', { failing: t('band.failing') })
    return from === null ? when : `${when} ${t('alert.outlook.notBefore', { moment: moment(from) })}`
  }
  return (
    <Box component="p" mt={6} c="dimmed">
      {text()}
    </Box>
  )
}
