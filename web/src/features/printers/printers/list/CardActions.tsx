import { ActionIcon, Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconSettings, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../../lib/paths.ts'
import { ShareButton } from '../../../remote/sharing/index.ts'
import { OpenTunnel } from '../../../remote/tunnels/index.ts'
import type { useCommands } from '../../../../printer/useCommands.ts'
import { canTake } from './bulk.ts'
import styles from './PrinterCard.module.css'

interface CardActionsProps {
  printer: Printer
  transition: string | null
  commands: ReturnType<typeof useCommands>
  /** The alert has its own buttons. */
  alerting: boolean
}

/** The foot of a card: what can be done to the print, and where else to go. */
export function CardActions({ printer, transition, commands, alerting }: CardActionsProps) {
  const { t } = useTranslation('grid')
  const { t: words } = useTranslation('printers')
  const disabled = commands.busy || transition !== null
  return (
    <div className={styles.foot}>
      {!alerting && canTake(printer, 'pause') && (
        <Button
          size="xs"
          leftSection={<IconPlayerPauseFilled size={13} />}
          disabled={disabled}
          onClick={() => void commands.pause()}
        >
          {words('pause.button')}
        </Button>
      )}
      {!alerting && canTake(printer, 'resume') && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlayFilled size={13} />}
          disabled={disabled}
          onClick={() => void commands.resume()}
        >
          {words('resume.button')}
        </Button>
      )}
      {!alerting && canTake(printer, 'cancel') && (
        <Button
          size="xs"
          leftSection={<IconX size={14} stroke={2} />}
          disabled={disabled}
          onClick={() => void commands.cancel()}
        >
          {words('cancel.button')}
        </Button>
      )}
      <span className={styles.spring} />
      <OpenTunnel printer={printer} />
      <ShareButton printer={printer} />
      <ActionIcon
        aria-label={t('card.settings', { name: printer.name })}
        title={words('control.settings')}
        renderRoot={(props) => <Link {...props} to={paths.printerSettings(printer.id)} />}
      >
        <IconSettings size={18} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
