import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowsSort, IconDots, IconPlus, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { useNow } from '../../../../lib/clock.ts'
import { ms } from '../../../../lib/format.ts'
import { useLine } from '../../../../lib/line.ts'
import { paths } from '../../../../lib/paths.ts'
import { useShortcut } from '../../../../lib/shortcuts.ts'
import { useStoredChoice } from '../../../../lib/stored.ts'
import { PrinterHandOver } from '../../../../printer/cloudprint/HandOvers.tsx'
import { agentCan } from '../../../../printer/driver/versions.ts'
import { LineNote } from '../../../../printer/LineNote.tsx'
import { useLive } from '../../../../printer/live/printer-line.ts'
import { useDataLine } from '../../../../printer/live/useDataLine.ts'
import { printersQuery } from '../../../../printer/printers.api.ts'
import { isMine, mayControl, mayEdit } from '../../../../printer/rights.ts'
import { SharedBy } from '../../../../printer/SharedBy.tsx'
import {
  hasOpenAlert,
  isAfterRestart,
  isOffline,
  isChanging,
  awayOf,
  isWaiting,
} from '../../../../printer/state.ts'
import { StatePill } from '../../../../printer/StatePill.tsx'
import { readStatus } from '../../../../printer/status.ts'
import { usePrinterTab } from '../../../../printer/tab.ts'
import { useCommands } from '../../../../printer/useCommands.ts'
import { useTransition } from '../../../../printer/useTransition.ts'
import { confirm } from '../../../../ui/confirm.tsx'
import { laterOn } from '../../../../ui/lazily.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { ShareButton } from '../../../remote/sharing/index.ts'
import { OpenTunnel } from '../../../remote/tunnels/index.ts'
import { CameraPanel } from '../../camera/index.ts'
import { AlertBox } from '../AlertBox.tsx'
import { ReorderDialog } from '../widgets/ReorderDialog.tsx'
import { useLayout } from '../widgets/useLayout.ts'
import { useWidgets } from '../widgets/Widgets.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import styles from './ControlPage.module.css'

const QueuePanel = laterOn(async () => (await import('../../../files/queue/index.ts')).QueuePanel)

/** One printer, whole: the camera stays in view, what can be read and done stands beside it. */
export function ControlPage({ printer }: { printer: Printer }) {
  const line = useLive(printer.id)
  useDataLine(printer)
  const transition = useTransition(printer)
  const commands = useCommands(printer)
  const reading = readStatus(printer)
  const reachable = !isOffline(printer) && !reading?.disconnected
  const layout = useLayout(printer)
  const { side, wide } = useWidgets({ printer, transition, commands, line, layout })
  const [ordering, setOrdering] = useState(false)
  usePrinterTab(printer, transition)
  usePrinterShortcuts(printer, transition, commands)

  return (
    <>
      <PageHeader
        back={useBack()}
        title={printer.name}
        note={
          <>
            <StatePill printer={printer} transition={transition} />
            <AgentNote printer={printer} />
            <SharedBy printer={printer} />
          </>
        }
        actions={<Actions printer={printer} onOrder={() => setOrdering(true)} />}
      />
      <LineNote state={line} />
      <div className={styles.columns}>
        <div className={styles.side}>
          {hasOpenAlert(printer) && (
            <AlertBox printer={printer} transition={transition} commands={commands} standing />
          )}
          {!reachable && <NoReport printer={printer} />}
          <PrinterHandOver printer={printer} />
          {isMine(printer) && <QueuePanel />}
          {side}
        </div>
        <div className={styles.main}>
          <CameraPanel printer={printer} className={styles.camera} />
          {wide && <div className={styles.wide}>{wide}</div>}
        </div>
      </div>
      {ordering && <ReorderDialog layout={layout} onClose={() => setOrdering(false)} />}
    </>
  )
}

/** A way back to the list, unless the list would only lead here again. */
function useBack() {
  const { t } = useTranslation('printers')
  const [redirects] = useStoredChoice('single-printer-redirect-enabled', ['true', 'false'], 'true')
  const { data: all } = useQuery(printersQuery)
  const single = all?.filter((printer) => !printer.archived_at).length === 1
  return single && redirects === 'true' ? undefined : { to: paths.printers, label: t('control.back') }
}

function AgentNote({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const { lost } = useLine()
  const { moment } = useTimeText()
  const name = printer.agent_name
  const agent =
    name === 'octoprint_obico' || name === 'moonraker_obico'
      ? t(`control.agentName.${name}`)
      : t('control.agentName.unknown')
  const seenAt = ms(printer.agent?.last_seen_at)
  if (lost) return <span>{t('control.agent.unheard', { agent })}</span>
  const state = printer.agent?.state ?? (printer.status ? 'connected' : 'offline')
  // What it waits for stands beside it.
  if (state === 'waiting' || isAfterRestart(printer)) return name ? <span>{agent}</span> : null
  return <span>{t(`control.agent.${state}`, { agent, moment: seenAt === null ? '–' : moment(seenAt) })}</span>
}

function Actions({ printer, onOrder }: { printer: Printer; onOrder: () => void }) {
  const { t } = useTranslation('printers')
  const { t: tw } = useTranslation('widgets')
  return (
    <>
      {isMine(printer) && <OpenTunnel printer={printer} framed className={styles.compact} />}
      {mayEdit(printer) && (
        <>
          <ShareButton printer={printer} framed />
          <Button
            className={styles.compact}
            leftSection={<IconSettings size={16} stroke={1.75} />}
            aria-label={t('control.settings')}
            renderRoot={(props) => <Link {...props} to={paths.printerSettings(printer.id)} />}
          >
            {t('control.settings')}
          </Button>
        </>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t('control.more')}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowsSort size={18} stroke={1.75} />} onClick={onOrder}>
            {tw('order.open')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlus size={18} stroke={1.75} />}
            renderRoot={(props) => <Link {...props} to={paths.wizard} />}
          >
            {t('control.linkAnother')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** The keys of a printer's page. A key slips more easily than a button: what the button does at once is asked here. */
function usePrinterShortcuts(
  printer: Printer,
  transition: string | null,
  commands: ReturnType<typeof useCommands>,
): void {
  const { t } = useTranslation('shortcuts')
  const navigate = useNavigate()
  const reading = readStatus(printer)
  const print = reading && printer.current_print
  const ready = print && !commands.busy && !isChanging(reading, transition)
  const muted = print?.alert_muted_at != null

  const sure = (what: 'resume' | 'mute') =>
    confirm({
      title: t(`sure.${what}.title`),
      text: t(`sure.${what}.text`),
      action: t(`sure.${what}.action`),
    })

  async function pauseOrResume() {
    if (!reading?.paused) await commands.pause()
    else if (hasOpenAlert(printer) || (await sure('resume'))) await commands.resume()
  }
  async function muteOrUnmute() {
    if (muted || (await sure('mute'))) await commands.mute(!muted)
  }

  useShortcut('pause', ready ? () => void pauseOrResume() : null)
  useShortcut('cancel', ready ? () => void commands.cancel() : null)
  useShortcut('mute', print && printer.watching_enabled && !commands.busy ? () => void muteOrUnmute() : null)
  const terminal = !isOffline(printer) && agentCan(printer, 'terminal') && mayControl(printer)
  useShortcut('terminal', terminal ? () => void navigate({ to: paths.terminal(printer.id) }) : null)
  useShortcut(
    'goSettings',
    mayEdit(printer) ? () => void navigate({ to: paths.printerSettings(printer.id) }) : null,
  )
}

/** Stands where the widgets would: offline, not yet heard of, or cut off from its board. */
function NoReport({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { ago } = useTimeText()
  const reading = readStatus(printer)
  const seenAt = ms(printer.agent?.last_seen_at)

  if (reading)
    return (
      <Panel title={t('control.disconnectedTitle')} tone="warn">
        <p className={styles.hint}>{t('control.disconnectedText')}</p>
        {reading.error && (
          <p className={styles.hint}>{t('control.printerSays', { message: reading.error })}</p>
        )}
        {mayControl(printer) && <ConnectButton printer={printer} />}
      </Panel>
    )
  if (isAfterRestart(printer))
    return (
      <Panel title={t('control.restartedTitle')}>
        <p className={styles.hint}>{t('control.restartedText')}</p>
      </Panel>
    )
  if (isWaiting(printer))
    return (
      <Panel title={t('control.waitingTitle')}>
        <p className={styles.hint}>{t('control.waitingText')}</p>
      </Panel>
    )
  if (awayOf(printer)) return <Lost printer={printer} />
  return (
    <Panel title={t('control.offlineTitle')}>
      <p className={styles.hint}>
        {seenAt ? t('control.offlineSeen', { ago: ago((now - seenAt) / 1000) }) : t('control.offlineNever')}
      </p>
    </Panel>
  )
}

/** Its agent has lost it: what Klipper is and says, and what can be done. */
function Lost({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { ago } = useTimeText()
  const { state, message } = awayOf(printer) ?? { state: null, message: null }
  const since = ms(printer.agent.away?.since)
  return (
    <Panel title={t(state ? `control.awayTitle_${state}` : 'control.disconnectedTitle')} tone="warn">
      {message && <p className={styles.words}>{message}</p>}
      <p className={styles.hint}>{t(state ? `control.awayText_${state}` : 'control.disconnectedText')}</p>
      {printer.current_print && since !== null && (
        <p className={styles.hint}>{t('control.awaySince', { ago: ago((now - since) / 1000) })}</p>
      )}
    </Panel>
  )
}
