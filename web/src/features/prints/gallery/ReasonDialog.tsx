import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogButtons } from '../../../ui/DialogButtons.tsx'
import styles from './Gallery.module.css'

interface ReasonDialogProps {
  decision: 'refuse' | 'take_down'
  name: string
  onReason: (reason: string) => void
  onClose: () => void
}

/** Why not: the owner reads it. */
export function ReasonDialog({ decision, name, onReason, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('gallery')
  const [reason, setReason] = useState('')
  return (
    <Dialog title={t(`reason.${decision}`, { name })} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onReason(reason.trim())
        }}
      >
        <Textarea
          label={t('reason.label')}
          description={t('reason.hint')}
          autosize
          minRows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" color="bad" disabled={reason.trim() === ''}>
            {t(`reason.action.${decision}`)}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
