import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { DoorLink, NewPasswordForm } from '../door/index.ts'
import { useChangePassword, useSetFirstPassword } from './security.api.ts'
import shared from '../../../ui/shared.module.css'

/** Changes the password; other devices are signed out. */
export default function PasswordScreen() {
  const { t } = useTranslation('accounts')
  const { mutate, ...mutation } = useChangePassword()
  const done = useDone()
  return (
    <PasswordPage lead={t('changePassword.lead')}>
      <NewPasswordForm
        withOld
        mutation={mutation}
        onSubmit={({ old, password }) => mutate({ old, new: password }, { onSuccess: done })}
      />
      <p>
        <DoorLink to={paths.reset} display="inline-block" py={13}>
          {t('forgot')}
        </DoorLink>
      </p>
    </PasswordPage>
  )
}

/** For accounts that have none yet. */
export function FirstPasswordScreen() {
  const { t } = useTranslation('accounts')
  const { mutate, ...mutation } = useSetFirstPassword()
  const done = useDone()
  return (
    <PasswordPage lead={t('changePassword.first')}>
      <NewPasswordForm
        mutation={mutation}
        onSubmit={({ password }) => mutate(password, { onSuccess: done })}
      />
      <p>
        <DoorLink to={paths.changePassword} display="inline-block" py={13}>
          {t('changePassword.hasOne')}
        </DoorLink>
      </p>
    </PasswordPage>
  )
}

function useDone() {
  const { t } = useTranslation('accounts')
  const navigate = useNavigate()
  return () => {
    toast(t('changePassword.done'), 'done')
    void navigate({ to: paths.preferences })
  }
}

function PasswordPage({ lead, children }: { lead: string; children: ReactNode }) {
  const { t } = useTranslation('accounts')
  useTitle(t('changePassword.title'))
  return (
    <div className={shared.page}>
      <PageHeader
        title={t('changePassword.title')}
        back={{ to: paths.preferences, label: t('preferences.title') }}
      />
      <Panel>
        <Stack gap={14} maw={420} pt={4}>
          <p className={shared.soft}>{lead}</p>
          {children}
        </Stack>
      </Panel>
    </div>
  )
}
