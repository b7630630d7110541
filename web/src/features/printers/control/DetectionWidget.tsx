import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/clock.ts'
import { ms, percent } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { Gauge } from '../../../ui/Gauge.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { applyPrinters, savePrinter } from '../printers.api.ts'
import { sensitivityLevel } from '../settings/rules.ts'
import type { useCommands } from '../useCommands.ts'
import { hardlyWatched, watching } from '../watching.ts'
import { useWords } from '../words.ts'
import styles from './ControlPage.module.css'

interface DetectionWidgetProps {
  printer: Printer
  commands: ReturnType<typeof useCommands>
}

/** What the watch thinks of the print; when it does not watch, that and why stand in its place. */
export function DetectionWidget({ printer, commands }: DetectionWidgetProps) {
  const { t } = useTranslation('printers')
  const now = watching(printer)
  const aside =
    now.kind === 'off' ? (
      <span className={styles.off}>{t('detection.off')}</span>
    ) : now.kind === 'blind' ? (
      <span className={styles.blind}>{t('detection.blind')}</span>
    ) : (
      <span className={styles.on}>{t('detection.on')}</span>
    )
  const value = now.kind === 'verdict' ? now.value : null
  const label =
    now.kind === 'verdict'
      ? t('detection.gauge', { verdict: t(`band.${now.band}`), value: Math.round(now.value * 100) })
      : t('detection.gaugeOff')

  return (
    <Panel title={t('detection.title')} aside={aside}>
      <div className={styles.detection}>
        <Gauge value={value} label={label} />
        <div>
          <Verdict printer={printer} />
          <Hardly printer={printer} />
          <DetectionAction printer={printer} commands={commands} />
        </div>
      </div>
      {printer.watching_enabled && <SensitivityNote printer={printer} />}
    </Panel>
  )
}

/** How sure it must be before it warns, in the words of the settings, and the way there. */
function SensitivityNote({ printer }: { printer: Printer }) {
  const { t } = useTranslation(['settings', 'printers'])
  const level = sensitivityLevel(printer.detective_sensitivity)
  return (
    <p className={styles.sensitivity}>
      {t('detection.sensitivity', {
        ns: 'printers',
        sensitivity: t('sensitivity', { level: t(`level.${level}`) }),
        hint: t(`levelHint.${level}`),
      })}{' '}
      <Link to={paths.printerSettings(printer.id)}>{t('detection.change', { ns: 'printers' })}</Link>
    </p>
  )
}

function Verdict({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const now = watching(printer)
  if (now.kind === 'verdict')
    return (
      <>
        <p className={styles.verdict} data-band={now.band}>
          {t(`band.${now.band}`)}
        </p>
        <Ages printer={printer} />
      </>
    )
  if (now.kind === 'starting')
    return (
      <>
        <p className={styles.verdict}>{t('detection.starting')}</p>
        <p className={styles.truth}>{t('detection.startingHint')}</p>
      </>
    )
  const blind = now.kind === 'blind'
  const reason = words.reason(now.code, now.said)
  return (
    <>
      <p className={blind ? `${styles.verdict} ${styles.blind}` : styles.verdict}>
        {t(blind ? 'detection.cantWatch' : 'detection.notWatching')}
      </p>
      <p className={styles.truth}>
        {t(blind ? 'detection.becauseBlind' : 'detection.becauseOff', { reason })}
      </p>
      {blind && <Watched printer={printer} />}
    </>
  )
}

/** Whoever leaves out nearly everything must know what that costs. */
function Hardly({ printer }: { printer: Printer }) {
  const { t } = useTranslation('camera')
  const left = hardlyWatched(printer)
  if (left === null) return null
  return <p className={styles.hardly}>{t('hardly', { percent: percent(left) })}</p>
}

function Ages({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { span } = useTimeText()
  const picture = ms(printer.watch.picture_at)
  const checked = ms(printer.watch.checked_at)
  return (
    <>
      {picture !== null && checked !== null && (
        <p className={styles.truth}>
          {t('detection.pictureChecked', {
            picture: span((now - picture) / 1000),
            checked: span((now - checked) / 1000),
          })}
        </p>
      )}
      <Watched printer={printer} />
    </>
  )
}

function Watched({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const share = printer.watch?.watched_percent ?? null
  if (share === null) return null
  return <p className={styles.truth}>{t('detection.watched', { percent: percent(share, 1) })}</p>
}

/** Mute, un-mute or turn on: whichever would change something. */
function DetectionAction({ printer, commands }: DetectionWidgetProps) {
  const { t } = useTranslation('printers')
  const client = useQueryClient()
  const problemText = useProblemText()
  const turnOn = useMutation({
    mutationFn: () => savePrinter(printer.id, { watching_enabled: true }),
    onSuccess: (result) => applyPrinters(client, new Map([[printer.id, result.printer]])),
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })
  if (!printer.watching_enabled)
    return (
      <Button loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
        {t('detection.turnOn')}
      </Button>
    )
  if (!printer.current_print) return null
  const muted = printer.current_print.alert_muted_at !== null
  return (
    <Button disabled={commands.busy} onClick={() => void commands.mute(!muted)}>
      {t(muted ? 'detection.unmute' : 'detection.mute')}
    </Button>
  )
}
