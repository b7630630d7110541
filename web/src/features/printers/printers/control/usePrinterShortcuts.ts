import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../../lib/paths.ts'
import { useShortcut } from '../../../../lib/shortcuts.ts'
import { confirm } from '../../../../ui/confirm.tsx'
import { agentCan } from '../../../../printer/driver/versions.ts'
import { hasOpenAlert, isChanging, isOffline } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
import type { useCommands } from '../../../../printer/useCommands.ts'

/** The keys of a printer's page. A key slips more easily than a button: what the button does at once is asked here. */
export function usePrinterShortcuts(
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
  const terminal = !isOffline(printer) && agentCan(printer, 'terminal')
  useShortcut('terminal', terminal ? () => void navigate({ to: paths.terminal(printer.id) }) : null)
  useShortcut('goSettings', () => void navigate({ to: paths.printerSettings(printer.id) }))
}
