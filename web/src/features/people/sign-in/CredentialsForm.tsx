import { Alert, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { earlyField, takeTyped } from '../../../lib/early.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'

interface Credentials {
  email: string
  password: string
  remember: boolean
}

interface CredentialsFormProps {
  action: string
  /** A new account asks for a password of eight characters; sign-in takes what there is. */
  isNew: boolean
  mutation: { mutate: (values: Credentials) => void; isPending: boolean; error: Error | null }
}

/** E-mail and password: what the server refuses stands beside its field, the rest above. */
export function CredentialsForm({ action, isNew, mutation }: CredentialsFormProps) {
  const { t } = useTranslation('accounts')
  const problemText = useProblemText()
  const problem = mutation.error ? problemOf(mutation.error) : null
  const fields = problem?.kind === 'fields' ? problem.fields : {}
  const beside = Boolean(fields['email'] ?? fields['password'])
  const form = useCredentials(isNew)
  const { ref, field } = useTyped((values) => form.setValues(values), mutation)

  return (
    <form
      noValidate
      ref={ref}
      onSubmit={form.onSubmit((values) => mutation.mutate({ ...values, email: values.email.trim() }))}
    >
      {problem && (!beside || (problem.kind === 'fields' && problem.general)) && (
        <Alert color="bad" role="alert" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
          {problemText(problem)}
        </Alert>
      )}
      <TextInput
        label={t('email')}
        type="email"
        name="email"
        autoComplete={isNew ? 'email' : 'username'}
        autoFocus={field === null}
        {...form.getInputProps('email')}
        error={form.errors['email'] ?? fields['email']}
      />
      <PasswordInput
        label={t('password')}
        name="password"
        description={isNew ? t('passwordRule') : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        visibilityToggleButtonProps={{ 'aria-label': t('passwordShow') }}
        {...form.getInputProps('password')}
        error={form.errors['password'] ?? fields['password']}
      />
      {!isNew && (
        <Checkbox
          name="remember"
          label={t('remember')}
          {...form.getInputProps('remember', { type: 'checkbox' })}
        />
      )}
      <Button type="submit" variant="filled" loading={mutation.isPending} fullWidth>
        {action}
      </Button>
    </form>
  )
}

function useCredentials(isNew: boolean) {
  const { t } = useTranslation('accounts')
  return useForm<Credentials>({
    initialValues: { email: '', password: '', remember: true },
    validate: {
      email: (value) => (/^[^\s@]+@\S+$/.test(value.trim()) ? null : t('emailInvalid')),
      password: (value) =>
        isNew && value.length < 8 ? t('passwordShort') : value ? null : t('passwordMissing'),
    },
  })
}

/** What was typed into the page's own form before this one stood, and where. */
function useTyped(fill: (values: Credentials) => void, { mutate }: CredentialsFormProps['mutation']) {
  const ref = useRef<HTMLFormElement>(null)
  const [field] = useState(earlyField)
  // Once, and before anybody sees it: what stood here until now was the page's own form.
  useLayoutEffect(() => {
    const typed = takeTyped()
    if (!typed) return
    fill(typed.values)
    ref.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
    if (typed.sent) mutate(typed.values)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return { ref, field }
}
