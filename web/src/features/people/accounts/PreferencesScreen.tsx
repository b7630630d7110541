import { Button, Group, SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import type { User } from '@vigil/contract/people/accounts.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { asLanguage, LANGUAGES } from '../../../lib/i18n.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { themeText, useThemes } from '../../../lib/themes.ts'
import { useTitle } from '../../../lib/title.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, type SaveState, SettingRow } from '../../../ui/SettingRow.tsx'
import { useChooseLanguage, useSignOut, useUpdateMe } from './account.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Preferences.module.css'

export default function PreferencesScreen() {
  const { t } = useTranslation('accounts')
  const { t: common } = useTranslation('common')
  const { t: leaving } = useTranslation('leaving')
  const user = useUser()
  const signOut = useSignOut()
  useTitle(t('preferences.title'))
  return (
    <div className={shared.page}>
      <PageHeader title={t('preferences.title')} />
      <Panel title={t('preferences.profile')}>
        <NameRow user={user} field="first_name" label={t('preferences.firstName')} />
        <NameRow user={user} field="last_name" label={t('preferences.lastName')} />
        <SettingRow label={t('preferences.email')}>
          {() => (
            <Group component="span" gap="6px 12px" justify="flex-end">
              <span className={styles.soft}>{user.email}</span>
              <Button renderRoot={(props) => <Link {...props} to={paths.emails} />}>
                {t('preferences.emails')}
              </Button>
            </Group>
          )}
        </SettingRow>
        <LinkRow
          label={t('preferences.password')}
          to={paths.changePassword}
          words={t('preferences.passwordChange')}
        />
      </Panel>
      <Panel title={common('nav.notifications')}>
        <LinkRow
          label={t('preferences.notifications')}
          hint={t('preferences.notificationsHint')}
          to={paths.notifications}
        />
      </Panel>
      <Panel title={t('preferences.apps')}>
        <LinkRow label={t('preferences.slicers')} hint={t('preferences.slicersHint')} to={paths.apps} />
      </Panel>
      <LookPanel />
      <PrintersPanel />
      <Panel title={t('preferences.session')}>
        <LinkRow label={t('preferences.security')} hint={t('preferences.securityHint')} to={paths.security} />
        <LinkRow label={leaving('title')} hint={leaving('hint')} to={paths.leave} />
        <SettingRow label={common('signOut')} hint={t('preferences.sessionHint', { email: user.email })}>
          {() => <Button onClick={signOut}>{common('signOut')}</Button>}
        </SettingRow>
      </Panel>
    </div>
  )
}

/** Saved when the field is left or Enter is pressed. */
function NameRow({ user, field, label }: { user: User; field: 'first_name' | 'last_name'; label: string }) {
  const [value, setValue] = useState(user[field])
  const problemText = useProblemText()
  const update = useUpdateMe()
  const problem = update.error ? problemOf(update.error) : null
  const phase = update.isPending ? 'saving' : problem ? 'failed' : update.isSuccess ? 'saved' : 'idle'
  const beside = problem?.kind === 'fields' ? problem.fields[field] : undefined
  const state: SaveState = {
    phase,
    error: problem ? (beside ?? problemText(problem)) : null,
    ...(problem && problem.kind !== 'fields' ? { onRetry: save } : {}),
  }

  function save() {
    if (value.trim() !== user[field]) update.mutate({ [field]: value.trim() })
  }

  return (
    <SettingRow label={label} state={state}>
      {(ids) => (
        <TextInput
          {...ids}
          {...describedByRow}
          aria-invalid={phase === 'failed'}
          className={styles.name}
          value={value}
          maxLength={30}
          autoComplete={field === 'first_name' ? 'given-name' : 'family-name'}
          onChange={(event) => {
            update.reset()
            setValue(event.currentTarget.value)
          }}
          onBlur={save}
          onKeyDown={(event) => event.key === 'Enter' && save()}
        />
      )}
    </SettingRow>
  )
}

function LookPanel() {
  const { t, i18n } = useTranslation('accounts')
  const { t: common } = useTranslation('common')
  const { themes, theme, chooseTheme } = useThemes()
  const chooseLanguage = useChooseLanguage()
  return (
    <Panel title={t('preferences.look')}>
      {themes.length > 0 && (
        <SettingRow label={t('preferences.theme')} wide>
          {(ids) => (
            <SegmentedControl
              {...ids}
              fullWidth
              value={theme}
              onChange={chooseTheme}
              data={themes.map((value) => ({ value, label: common(themeText[value]) }))}
            />
          )}
        </SettingRow>
      )}
      <SettingRow label={t('preferences.language')}>
        {(ids) => (
          <Select
            {...ids}
            className={styles.name}
            value={asLanguage(i18n.language)}
            onChange={(value) => value && chooseLanguage(asLanguage(value))}
            data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          />
        )}
      </SettingRow>
    </Panel>
  )
}

function PrintersPanel() {
  const { t } = useTranslation('accounts')
  const [redirects, setRedirects] = useStoredChoice(
    'single-printer-redirect-enabled',
    ['true', 'false'],
    'true',
  )
  return (
    <Panel title={t('preferences.printers')}>
      <SettingRow label={t('preferences.redirect')} hint={t('preferences.redirectHint')}>
        {(ids) => (
          <Switch
            {...ids}
            checked={redirects === 'true'}
            onChange={(event) => setRedirects(event.currentTarget.checked ? 'true' : 'false')}
          />
        )}
      </SettingRow>
    </Panel>
  )
}

interface LinkRowProps {
  readonly label: string
  readonly hint?: string
  readonly to: string
  readonly words?: string
}

/** What has a page of its own. */
function LinkRow({ label, hint, to, words }: LinkRowProps) {
  const { t } = useTranslation('accounts')
  return (
    <SettingRow label={label} hint={hint}>
      {() => (
        <Button renderRoot={(props) => <Link {...props} to={to} />}>{words ?? t('preferences.open')}</Button>
      )}
    </SettingRow>
  )
}
