import { Box, Button, Stack } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { DoorFrame } from '../door/index.ts'
import { useConfirmation, useConfirmEmail } from './emails.api.ts'
import { FormAlert } from '../../../ui/FormAlert.tsx'

const filled = { variant: 'filled', fullWidth: true } as const

/** The link in a letter leads here. Its button confirms, not the opening of the page: mail filters open pages, too. */
export default function ConfirmEmailScreen() {
  const { t } = useTranslation('accounts')
  const { key = '' } = useParams({ strict: false })
  const { data, error } = useConfirmation(key)
  const mutation = useConfirmEmail()
  const problemText = useProblemText()
  useTitle(t('confirm.title'))
  if (error) {
    const problem = problemOf(error)
    return (
      <DoorFrame title={t('linkOver')}>
        <Box component="p" role="alert" mt={8} c="dimmed">
          {problem.kind === 'missing' ? t('confirm.over') : problemText(problem)}
        </Box>
        <Onwards />
      </DoorFrame>
    )
  }
  const email = data?.email ?? ''
  if (data?.verified || mutation.isSuccess)
    return (
      <DoorFrame title={t('confirm.done')} lead={t('confirm.doneLead', { email })}>
        <Onwards />
      </DoorFrame>
    )
  return (
    <DoorFrame title={t('confirm.title')} lead={data ? t('confirm.lead', { email }) : t('oneMoment')}>
      <Stack gap={14} mt={18}>
        <FormAlert error={mutation.error} />
        <Button
          {...filled}
          disabled={!data}
          loading={mutation.isPending}
          onClick={() => mutation.mutate(key)}
        >
          {t('confirm.button')}
        </Button>
      </Stack>
    </DoorFrame>
  )
}

function Onwards() {
  const { t } = useTranslation('accounts')
  const { user } = useBootstrap()
  return (
    <Button
      {...filled}
      mt={18}
      renderRoot={(props) => <Link {...props} to={user ? paths.emails : paths.login} />}
    >
      {user ? t('confirm.onwards') : t('signIn')}
    </Button>
  )
}
