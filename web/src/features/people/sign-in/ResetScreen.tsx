import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame, DoorLink } from '../door/index.ts'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'
import { useAskReset } from './sign-in.api.ts'

/** Asks for a link to choose a new password; says beforehand where no mail is sent. */
export default function ResetScreen() {
  const { t } = useTranslation('accounts')
  const { settings } = useBootstrap()
  const navigate = useNavigate()
  const mutation = useAskReset()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (value) => (/^[^\s@]+@\S+$/.test(value.trim()) ? null : t('emailInvalid')) },
  })
  useTitle(t('reset.title'))
  const foot = <DoorLink to={paths.login}>{t('reset.back')}</DoorLink>
  if (!settings.EMAIL_ENABLED)
    return (
      <DoorFrame title={t('reset.title')} lead={t('reset.noMail')} foot={foot}>
        <p>{t('reset.noMailHow')}</p>
      </DoorFrame>
    )
  return (
    <DoorFrame title={t('reset.title')} lead={t('reset.lead')} foot={foot}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ email }) =>
          mutation.mutate(email.trim(), { onSuccess: () => void navigate({ to: paths.resetSent }) }),
        )}
      >
        <FormAlert error={mutation.error} fields={['email']} />
        <TextInput
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? fieldError(mutation.error, 'email')}
        />
        <Button type="submit" variant="filled" loading={mutation.isPending} fullWidth>
          {t('reset.send')}
        </Button>
      </form>
    </DoorFrame>
  )
}

/** The same for every address: who has an account is not told. */
export function ResetSentScreen() {
  const { t } = useTranslation('accounts')
  useTitle(t('checkMail'))
  return (
    <DoorFrame
      title={t('checkMail')}
      lead={t('reset.sent')}
      foot={<DoorLink to={paths.login}>{t('reset.back')}</DoorLink>}
    >
      <p>{t('reset.sentNothing')}</p>
    </DoorFrame>
  )
}
