import { Box, Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../../lib/translation.ts'
import { useNow } from '../../../../lib/clock.ts'
import { ms, percent } from '../../../../lib/format.ts'
import { paths } from '../../../../lib/paths.ts'
import { Gauge } from '../../../../ui/Gauge.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { problemOf } from '../../../../lib/errors.ts'
import { toast } from '../../../../lib/toast.ts'
import { useProblemText } from '../../../../ui/Notice.tsx'
import { mayEdit } from '../../../../printer/rights.ts'
import { applyPrinter } from '../../../../printer/held.ts'
import { savePrinter } from '../../../../printer/printers.api.ts'
import { hasOpenAlert } from '../../../../printer/state.ts'
import { sensitivityLevel } from '../../../../printer/sensitivity.ts'
import type { useCommands } from '../../../../printer/useCommands.ts'
import { useWatching } from '../../../../printer/useWatching.ts'
import { alertVerdict, hardlyWatched, type Watching, watching } from '../../../../printer/watching.ts'
import { useWords } from '../../../../printer/words.ts'
import shared from '../../../../ui/shared.module.css'
import styles from './ControlPage.module.css'

interface DetectionWidgetProps {
  printer: Printer
  commands: ReturnType<typeof useCommands>
}

/** What the watch thinks of the print; when it does not watch, that and why stand in its place. */
export function DetectionWidget({ printer, commands }: DetectionWidgetProps) {
  const { t } = useTranslation('printers')
  const now = useWatching(printer)
  const shown = verdictOf(printer, now)
  const label = shown
    ? t(shown.wasThen ? 'detection.gaugeAlert' : 'detection.gauge', {
        verdict: t(`band.${shown.band}`),
        value: Math.round(shown.value * 100),
      })
    : t(now.kind === 'unheard' ? 'detection.gaugeUnheard' : 'detection.gaugeOff')

  return (
    <Panel title={t('detection.title')} aside={<Aside kind={now.kind} />}>
      <div className={styles.detection}>
        <Gauge
          value={shown?.value ?? (now.kind === 'unheard' ? now.value : null)}
          label={label}
          stale={now.kind === 'unheard'}
        />
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

/** What the gauge shows: the verdict of now, or that of an open alert for as long as there is nothing to watch. */
function verdictOf(printer: Printer, now: Watching) {
  if (now.kind === 'verdict') return { ...now, wasThen: false }
  const alert = now.kind === 'standby' && hasOpenAlert(printer) ? alertVerdict(printer) : null
  return alert && { ...alert, wasThen: true }
}

function Aside({ kind }: { kind: Watching['kind'] }) {
  const { t } = useTranslation('printers')
  if (kind === 'blind') return <span className={styles.blind}>{t('detection.blind')}</span>
  if (kind === 'off' || kind === 'standby' || kind === 'unheard')
    return <span className={shared.faint}>{t(`detection.${kind}`)}</span>
  return (
    <Box component="span" c="var(--v-good)">
      {t('detection.on')}
    </Box>
  )
}

/** How sure it must be before it warns, in the words of the settings, and the way there. */
function SensitivityNote({ printer }: { printer: Printer }) {
  const { t } = useTranslation(['settings', 'printers'])
  const level = sensitivityLevel(printer.detective_sensitivity)
  return (
    <p className={styles.sensitivity}>
      {t('printers:detection.sensitivity', {
        sensitivity: t('sensitivity', { level: t(`level.${level}`) }),
        hint: t(`levelHint.${level}`),
      })}{' '}
      {mayEdit(printer) && (
        <Link to={paths.printerSettings(printer.id)}>{t('printers:detection.change')}</Link>
      )}
    </p>
  )
}

function Verdict({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const now = useWatching(printer)
  if (now.kind === 'verdict')
    return (
      <>
        <p className={styles.verdict} data-band={now.band}>
          {t(`band.${now.band}`)}
        </p>
        {printer.watch.is_camera_strange && <p className={styles.truth}>{t('detection.strange')}</p>}
        <Ages printer={printer} />
      </>
    )
  if (now.kind === 'unheard')
    return (
      <>
        <p className={styles.verdict}>{t('watch.unheard')}</p>
        {now.band && (
          <p className={styles.truth}>{t('detection.unheardWas', { verdict: t(`band.${now.band}`) })}</p>
        )}
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
  if (now.kind === 'standby') return <Standby printer={printer} />
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

/** Nothing to watch just now; what an open alert was raised at stays until it is answered. */
function Standby({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const verdict = verdictOf(printer, watching(printer))
  const rest = t(printer.current_print ? 'detection.standbyPaused' : 'detection.standbyHint')
  if (verdict === null)
    return (
      <>
        <p className={styles.verdict}>{t('detection.standby')}</p>
        <p className={styles.truth}>{rest}</p>
      </>
    )
  return (
    <>
      <p className={styles.verdict} data-band={verdict.band}>
        {t(`band.${verdict.band}`)}
      </p>
      <p className={styles.truth}>
        {t('detection.atAlert')} {rest}
      </p>
    </>
  )
}

/** Whoever leaves out nearly everything must know what that costs. */
function Hardly({ printer }: { printer: Printer }) {
  const { t } = useTranslation('camera')
  const left = hardlyWatched(printer)
  if (left === null) return null
  return (
    <Box component="p" mt={3} fz={13} c="var(--v-warn)">
      {t('hardly', { percent: percent(left) })}
    </Box>
  )
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
    onSuccess: (result) => applyPrinter(client, result.printer),
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })
  if (!printer.watching_enabled && !mayEdit(printer)) return null
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
