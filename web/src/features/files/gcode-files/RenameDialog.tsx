import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { renameItem } from './gcode-files.api.ts'
import { type Item, partsOf } from './items.ts'
import { NameForm } from './NameForm.tsx'

interface RenameDialogProps {
  item: Item
  onClose: () => void
}

/** Another name for a file, whose extension stays, or a folder. */
export function RenameDialog({ item, onClose }: RenameDialogProps) {
  const { t } = useTranslation('gcode-files')
  const client = useQueryClient()
  const { base, extension } = partsOf(item)
  return (
    <Dialog title={t(`rename.${item.kind}`)} onClose={onClose}>
      <NameForm
        label={t('rename.name')}
        action={t('rename.action')}
        initial={base}
        suffix={extension}
        save={(name) => renameItem(client, item, name)}
        onClose={onClose}
      />
    </Dialog>
  )
}
