import { Button, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../../lib/translation.ts'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'
import shared from '../../../ui/shared.module.css'

interface NewPasswordFormProps {
  /** Asks for the password that is, too. */
  withOld?: boolean
  mutation: { isPending: boolean; error: Error | null }
  onSubmit: (values: { old: string; password: string }) => void
}

/** A new password, typed twice. */
export function NewPasswordForm({ withOld = false, mutation, onSubmit }: NewPasswordFormProps) {
  const { t } = useTranslation('accounts')
  const form = useForm({
    initialValues: { old: '', password: '', again: '' },
    validate: {
      old: (value) => (withOld && !value ? t('passwordMissing') : null),
      password: (value) => (value.length < 8 ? t('passwordShort') : null),
      again: (value, values) => (value === values.password ? null : t('passwordsDiffer')),
    },
  })
  const { error, isPending } = mutation
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('passwordShow') } }
  return (
    <form className={shared.fields} noValidate onSubmit={form.onSubmit(onSubmit)}>
      <FormAlert error={error} fields={['old', 'new', 'password']} />
      {withOld && (
        <PasswordInput
          label={t('oldPassword')}
          name="old"
          autoComplete="current-password"
          {...toggle}
          {...form.getInputProps('old')}
          error={form.errors['old'] ?? fieldError(error, 'old')}
        />
      )}
      <PasswordInput
        label={t('newPassword')}
        name="password"
        description={t('passwordRule')}
        autoComplete="new-password"
        {...toggle}
        {...form.getInputProps('password')}
        error={form.errors['password'] ?? fieldError(error, 'password') ?? fieldError(error, 'new')}
      />
      <PasswordInput
        label={t('newPasswordAgain')}
        name="again"
        autoComplete="new-password"
        {...toggle}
        {...form.getInputProps('again')}
      />
      <Button type="submit" variant="filled" loading={isPending} fullWidth>
        {t('savePassword')}
      </Button>
    </form>
  )
}
