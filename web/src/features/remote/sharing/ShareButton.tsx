import { ActionIcon } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconShare2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'

const ShareDialog = lazyDialog(async () => (await import('./ShareDialog.tsx')).ShareDialog)

/** Opens the sharing of a printer's camera, where the operator allows it; its dialog is loaded when it is wanted. */
export function ShareButton({ printer, framed = false }: { printer: Printer; framed?: boolean }) {
  const { t } = useTranslation('sharing')
  const { settings } = useBootstrap()
  const [open, setOpen] = useState(false)
  if (!settings.SHARING_ENABLED) return null
  return (
    <>
      <ActionIcon
        variant={framed ? 'default' : 'subtle'}
        aria-label={t('buttonOf', { name: printer.name })}
        title={t('button')}
        onClick={() => setOpen(true)}
      >
        <IconShare2 size={18} stroke={1.75} />
      </ActionIcon>
      {open && <ShareDialog printerId={printer.id} name={printer.name} onClose={() => setOpen(false)} />}
    </>
  )
}
