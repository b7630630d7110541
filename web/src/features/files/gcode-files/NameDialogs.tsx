import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { addFolder, renameItem } from './gcode-files.api.ts'
import { type Item, partsOf } from './items.ts'

interface NameFormProps {
  label: string
  action: string
  initial: string
  /** What follows the name and stays. */
  suffix?: string
  save: (name: string) => Promise<unknown>
  onClose: () => void
}

const LONGEST = 900

/** A name and a button; a name that is taken is said at the field. */
export function NameForm({ label, action, initial, suffix = '', save, onClose }: NameFormProps) {
  const { t } = useTranslation('gcode-files')
  const message = useMessages()
  const text = useProblemText()
  const [name, setName] = useState(initial)
  const saving = useMutation({ mutationFn: save, onSuccess: onClose })
  const problem = saving.error && problemOf(saving.error)
  const isTaken = problem?.kind === 'fields' && problem.fields['name'] !== undefined
  const trimmed = name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed === '') return
        if (trimmed === initial) onClose()
        else saving.mutate(trimmed + suffix)
      }}
    >
      <TextInput
        label={label}
        value={name}
        maxLength={LONGEST}
        rightSection={suffix === '' ? null : suffix}
        rightSectionWidth={suffix === '' ? 0 : 76}
        error={problem && (isTaken ? message('folderExists') : text(problem))}
        onChange={(event) => {
          setName(event.currentTarget.value)
          saving.reset()
        }}
        data-autofocus
      />
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="filled" disabled={trimmed === ''} loading={saving.isPending}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}

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
