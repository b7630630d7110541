import { Anchor, Box, Button, Checkbox, Group, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Leaving } from '@vigil/contract/people/leaving.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap, useSetUser } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { ArchivePanel } from './ArchivePanel.tsx'
import { useDeleteAccount, useLeaving } from './leaving.api.ts'

/** Takes one's data along, and deletes the account. */
export default function LeavingScreen() {
  const { t } = useTranslation('leaving')
  const { t: accounts } = useTranslation('accounts')
  const { data, error, refetch } = useLeaving()
  const navigate = useNavigate()
  const setUser = useSetUser()
  useTitle(t('title'))
  /** First away from here: this page is for who is signed in. */
  const leave = async (mailed: boolean) => {
    await navigate({ to: paths.left, search: { mailed: String(mailed) } })
    setUser(null)
  }
  return (
    <div className={shared.page} aria-busy={!data && !error}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: accounts('preferences.title') }} />
      {data ? (
        <>
          <ArchivePanel of={data} />
          {data.has_subscription ? (
            <SubscriptionPanel />
          ) : (
            <DeletePanel of={data} onGone={() => void leave(data.is_mailed)} />
          )}
        </>
      ) : (
        error && (
          <Failed title={t('archive.notLoaded')} problem={problemOf(error)} onRetry={() => void refetch()} />
        )
      )}
    </div>
  )
}

/** What is paid for is ended first; who helps with it is written to. */
function SubscriptionPanel() {
  const { t } = useTranslation('leaving')
  const { SUPPORT_EMAIL: support } = useBootstrap().settings
  return (
    <Panel title={t('subscription.title')}>
      <p className={shared.soft}>{t('subscription.text')}</p>
      <Group mt={14}>
        <Button renderRoot={(props) => <Link {...props} to={paths.subscription} />}>
          {t('subscription.end')}
        </Button>
        {support !== null && <Anchor href={`mailto:${support}`}>{support}</Anchor>}
      </Group>
    </Panel>
  )
}

function DeletePanel({ of, onGone }: { of: Leaving; onGone: () => void }) {
  const { t } = useTranslation('leaving')
  const problemText = useProblemText()
  const { mutate, isPending, error } = useDeleteAccount()
  const form = useForm({
    initialValues: { reason: '', acknowledged: false },
    validate: {
      reason: (value) => (value.trim() === '' ? t('ask.reasonNeeded') : null),
      acknowledged: (value) => (value ? null : t('ask.acknowledgeNeeded')),
    },
  })
  return (
    <Panel title={t('ask.title')}>
      <Box
        component="form"
        className={shared.fields}
        mt={14}
        noValidate
        onSubmit={form.onSubmit(({ reason }) => mutate(reason.trim(), { onSuccess: onGone }))}
      >
        <p className={shared.soft}>{t('ask.lead')}</p>
        <p className={shared.soft}>{t(of.is_mailed ? 'ask.undo' : 'ask.undoOperator')}</p>
        <Printing all={of.printing} />
        {error && (
          <p role="alert" className={shared.bad}>
            {t('ask.failed')}. {problemText(problemOf(error))}
          </p>
        )}
        <Textarea
          label={t('ask.reason')}
          autosize
          minRows={3}
          maxLength={2000}
          {...form.getInputProps('reason')}
        />
        <Checkbox
          label={t('ask.acknowledge')}
          {...form.getInputProps('acknowledged', { type: 'checkbox' })}
        />
        <div>
          <Button type="submit" variant="filled" color="bad" loading={isPending}>
            {t('ask.button')}
          </Button>
        </div>
      </Box>
    </Panel>
  )
}

/** What would go on, watched by nobody. */
function Printing({ all }: { all: Leaving['printing'] }) {
  const { t } = useTranslation('leaving')
  if (all.length === 0) return null
  return (
    <div className={shared.bad}>
      {t('ask.printing')}
      <ul>
        {all.map(({ printer, print }) => (
          <li key={printer + print}>{`${printer}: ${print}`}</li>
        ))}
      </ul>
    </div>
  )
}
