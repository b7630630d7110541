import { Button, Group, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { DEBOUNCE_MS, useRefusal, useSaved } from '../../../printer/useField.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import shared from '../../../ui/shared.module.css'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { useUpdateMe } from './account.api.ts'

/** `/user_preferences/profile/`: who somebody is, and how they sign in. `onlyName=true`: the names alone. */
export default function ProfileScreen() {
  const { t } = useTranslation('accounts')
  const user = useUser()
  const { onlyName } = useQueryValues()
  useTitle(t('preferences.sections.profile'))
  return (
    <div className={shared.page}>
      <PageHeader
        title={t('preferences.sections.profile')}
        back={{ to: paths.preferences, label: t('preferences.title') }}
      />
      <Panel>
        <NameRow field="first_name" label={t('preferences.firstName')} />
        <NameRow field="last_name" label={t('preferences.lastName')} />
        {onlyName !== 'true' && (
          <>
            <SettingRow label={t('preferences.email')}>
              {() => (
                <Group component="span" gap="4px 12px" justify="flex-end">
                  <span className={`${shared.soft} ${shared.fits}`}>{user.email}</span>
                  <Button renderRoot={(props) => <Link {...props} to={paths.emails} />}>
                    {t('preferences.emails')}
                  </Button>
                </Group>
              )}
            </SettingRow>
            <SettingRow label={t('preferences.password')}>
              {() => (
                <Button renderRoot={(props) => <Link {...props} to={paths.changePassword} />}>
                  {t('preferences.passwordChange')}
                </Button>
              )}
            </SettingRow>
          </>
        )}
      </Panel>
    </div>
  )
}

/** Saved a second after the last key, or when the field is left. */
function NameRow({ field, label }: { field: 'first_name' | 'last_name'; label: string }) {
  const message = useMessages()
  const user = useUser()
  const { mutateAsync } = useUpdateMe()
  const problemText = useProblemText()
  const refusalOf = useRefusal()
  const showError = useErrorDialog()
  const failed = message('preferencesNotSaved')
  const { value, state, set, flush } = useSaved<string>({
    held: user[field],
    delayMs: DEBOUNCE_MS,
    keeps: () => true,
    tooSlow: () => `${failed}. ${problemText({ kind: 'offline' })}`,
    async put(given) {
      if (given.trim() === user[field]) return null
      try {
        await mutateAsync({ [field]: given.trim() })
        return null
      } catch (error) {
        const problem = problemOf(error)
        if (problem.kind === 'fields' && problem.general) showError(problem.general)
        return refusalOf(problem, field, `${failed}.`)
      }
    },
  })
  return (
    <SettingRow label={label} state={state}>
      {(ids) => (
        <TextInput
          {...ids}
          {...describedByRow}
          aria-invalid={state.phase === 'failed'}
          w="min(260px, 48vw)"
          value={value}
          maxLength={30}
          autoComplete={field === 'first_name' ? 'given-name' : 'family-name'}
          onChange={(event) => set(event.currentTarget.value)}
          onBlur={flush}
          onKeyDown={(event) => event.key === 'Enter' && flush()}
        />
      )}
    </SettingRow>
  )
}
