import { Alert, Badge, Button, Flex, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { EmailAddress } from '@vigil/contract/people/emails.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { confirm } from '../../../ui/confirm.tsx'
import items from '../../../ui/Items.module.css'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAddEmail, useEmails, useMakePrimary, useRemoveEmail, useResend } from './emails.api.ts'
import shared from '../../../ui/shared.module.css'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'

/** Addresses of the account: which is signed in with, which are confirmed. */
export default function EmailsScreen() {
  const { t } = useTranslation('accounts')
  const { settings } = useBootstrap()
  const { data, error, refetch } = useEmails()
  useTitle(t('emails.title'))
  return (
    <div className={shared.page}>
      <PageHeader title={t('emails.title')} back={{ to: paths.preferences, label: t('preferences.title') }} />
      {!settings.EMAIL_ENABLED && (
        <Alert color="warn" title={t('emails.noMail')}>
          {t('emails.noMailHow')}
        </Alert>
      )}
      <Panel title={t('emails.yours')}>
        {error ? (
          <Failed title={t('emails.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <ul className={shared.list} aria-busy={!data}>
            {data?.map((address) => <AddressItem key={address.id} address={address} />) ?? (
              <li className={items.item} data-tall data-empty />
            )}
          </ul>
        )}
      </Panel>
      {settings.EMAIL_ENABLED && <AddPanel />}
    </div>
  )
}

function AddressItem({ address }: { address: EmailAddress }) {
  const { t } = useTranslation('accounts')
  const { settings } = useBootstrap()
  const problemText = useProblemText()
  const [primary, resend, remove] = [useMakePrimary(), useResend(), useRemoveEmail()]
  const { id, email, verified } = address
  const error = primary.error ?? resend.error ?? remove.error
  const begin = (act: { mutate: (id: number) => void }) => () => {
    for (const one of [primary, resend, remove]) one.reset()
    act.mutate(id)
  }
  async function removeAsked() {
    const question = { title: t('emails.removeAsk', { email }), text: t('emails.removeText') }
    if (await confirm({ ...question, action: t('emails.remove'), tone: 'bad' })) begin(remove)()
  }
  return (
    <li className={items.item} data-tall>
      <div className={items.words}>
        <span className={items.name}>{email}</span>
        <Badges address={address} />
        {resend.isSuccess && <span role="status">{t('emails.sent')}</span>}
        {error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(error))}
          </span>
        )}
      </div>
      <div className={shared.buttons}>
        {!verified && settings.EMAIL_ENABLED && (
          <Button loading={resend.isPending} onClick={begin(resend)}>
            {t('emails.send')}
          </Button>
        )}
        {verified && !address.primary && (
          <Button loading={primary.isPending} onClick={begin(primary)}>
            {t('emails.makePrimary')}
          </Button>
        )}
        {!address.primary && (
          <Button loading={remove.isPending} onClick={() => void removeAsked()}>
            {t('emails.remove')}
          </Button>
        )}
      </div>
    </li>
  )
}

function AddPanel() {
  const { t } = useTranslation('accounts')
  const add = useAddEmail()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (value) => (/^[^\s@]+@\S+$/.test(value.trim()) ? null : t('emailInvalid')) },
  })
  return (
    <Panel title={t('emails.another')}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ email }) => add.mutate(email.trim(), { onSuccess: () => form.reset() }))}
      >
        <Stack gap={12} pt={4}>
          <FormAlert error={add.error} fields={['email']} />
          {add.isSuccess && <p role="status">{t('emails.added', { email: add.data.email })}</p>}
          <Flex gap={10} align="flex-start">
            <TextInput
              flex={1}
              aria-label={t('emails.another')}
              placeholder={t('emails.placeholder')}
              type="email"
              name="email"
              autoComplete="email"
              {...form.getInputProps('email')}
              error={form.errors['email'] ?? fieldError(add.error, 'email')}
            />
            <Button type="submit" variant="filled" loading={add.isPending}>
              {t('emails.add')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Panel>
  )
}

function Badges({ address: { primary, verified } }: { address: EmailAddress }) {
  const { t } = useTranslation('accounts')
  return (
    <Flex component="span" wrap="wrap" gap={8}>
      {primary && (
        <Badge variant="light" tt="none">
          {t('emails.primary')}
        </Badge>
      )}
      <Badge variant="light" tt="none" color={verified ? 'good' : 'warn'}>
        {t(verified ? 'emails.confirmed' : 'emails.unconfirmed')}
      </Badge>
    </Flex>
  )
}
