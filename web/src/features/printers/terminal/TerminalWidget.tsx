import { ActionIcon } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconMaximize } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import type { SocketState } from '../../../lib/socket.ts'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { TerminalView } from './TerminalView.tsx'

/** The terminal among the other widgets, with the way to its own page. */
export function TerminalWidget({ printer, line }: { printer: Printer; line: SocketState }) {
  const { t } = useTranslation('terminal')
  return (
    <Panel label={t('title')}>
      <TerminalView
        printer={printer}
        line={line}
        title={<h2 className={shared.label}>{t('title')}</h2>}
        actions={
          <ActionIcon
            aria-label={t('full')}
            title={t('full')}
            renderRoot={(props) => <Link {...props} to={paths.terminal(printer.id)} />}
          >
            <IconMaximize size={18} stroke={1.75} />
          </ActionIcon>
        }
      />
    </Panel>
  )
}
