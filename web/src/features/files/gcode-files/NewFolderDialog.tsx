import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { addFolder } from './gcode-files.api.ts'
import { NameForm } from './NameForm.tsx'

interface NewFolderDialogProps {
  /** Where it will lie; null is the root. */
  parent: number | null
  onClose: () => void
}

/** A new folder in the one that is shown. */
export function NewFolderDialog({ parent, onClose }: NewFolderDialogProps) {
  const { t } = useTranslation('gcode-files')
  const client = useQueryClient()
  return (
    <Dialog title={t('newFolder.title')} onClose={onClose}>
      <NameForm
        label={t('newFolder.name')}
        action={t('newFolder.action')}
        initial=""
        save={(name) => addFolder(client, name, parent)}
        onClose={onClose}
      />
    </Dialog>
  )
}
