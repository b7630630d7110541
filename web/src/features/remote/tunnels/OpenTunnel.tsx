import { ActionIcon, Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconAppWindow } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { paths } from '../../../lib/paths.ts'
import { usePageName } from './usePageName.ts'

interface OpenTunnelProps {
  printer: Printer
  /** As a button with its words. */
  framed?: boolean
  className?: string | undefined
}

/** The way to a printer's own page. It is loaded for real: its policy is its own. */
export function OpenTunnel({ printer, framed, className }: OpenTunnelProps) {
  const { t } = useTranslation('tunnels')
  const page = usePageName(printer)
  const href = serverUrl(paths.tunnel(printer.id))
  const label = t('openOf', { page, name: printer.name })
  if (framed)
    return (
      <Button
        className={className ?? ''}
        leftSection={<IconAppWindow size={16} stroke={1.75} />}
        aria-label={label}
        renderRoot={(props) => <a {...props} href={href} />}
      >
        {page}
      </Button>
    )
  return (
    <ActionIcon
      aria-label={label}
      title={t('open', { page })}
      renderRoot={(props) => <a {...props} href={href} />}
    >
      <IconAppWindow size={18} stroke={1.75} />
    </ActionIcon>
  )
}
