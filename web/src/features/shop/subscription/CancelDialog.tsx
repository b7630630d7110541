import { Button, Checkbox, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { useCancelPlan } from './payments.api.ts'
import { useDay } from './useDay.ts'

interface CancelDialogProps {
  id: number
  /** Until when it is paid. */
  until: string | null
  onClose: () => void
}

const BOX = { type: 'checkbox' } as const

/** Cancels a plan: with a reason, and with what follows acknowledged. */
export function CancelDialog({ id, until, onClose }: CancelDialogProps) {
  const { t } = useTranslation('subscription')
  const day = useDay()
  const problemText = useProblemText()
  const { mutate, isPending, error } = useCancelPlan(id)
  const form = useForm({
    initialValues: { reason: '', acknowledged: false },
    validate: {
      reason: (value) => value.trim() === '' && t('cancel.reasonNeeded'),
      acknowledged: (value) => !value && t('cancel.acknowledgeNeeded'),
    },
  })
  const done = () => {
    toast(t('cancel.done'), 'done')
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={t('cancel.title')}>
      <form
        noValidate
        className={shared.fields}
        onSubmit={form.onSubmit(({ reason }) => mutate(reason.trim(), { onSuccess: done }))}
      >
        <p>{t('cancel.text', { day: day(until) })}</p>
        <Textarea
          label={t('cancel.reason')}
          autosize
          minRows={3}
          maxLength={2000}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <Checkbox label={t('cancel.acknowledge')} {...form.getInputProps('acknowledged', BOX)} />
        {error && (
          <p role="alert" className={shared.problem}>
            {t('cancel.failed')}. {problemText(problemOf(error))}
          </p>
        )}
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel.keep')}</Button>
          <Button type="submit" variant="filled" color="bad" loading={isPending}>
            {t('cancel.button')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
