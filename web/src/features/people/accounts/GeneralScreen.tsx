import { Select, Switch } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { asLanguage, isLanguage, LANGUAGES } from '../../../lib/i18n.ts'
import { paths } from '../../../lib/paths.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import shared from '../../../ui/shared.module.css'
import { useChooseLanguage } from './account.api.ts'

/** `/user_preferences/general/`: language, and where the list of printers leads. */
export default function GeneralScreen() {
  const { t, i18n } = useTranslation('accounts')
  const chooseLanguage = useChooseLanguage()
  const [redirects, setRedirects] = useStoredChoice(
    'single-printer-redirect-enabled',
    ['true', 'false'],
    'true',
  )
  useTitle(t('preferences.sections.general'))
  return (
    <div className={shared.page}>
      <PageHeader
        title={t('preferences.sections.general')}
        back={{ to: paths.preferences, label: t('preferences.title') }}
      />
      <Panel>
        <SettingRow label={t('preferences.language')}>
          {(ids) => (
            <Select
              {...ids}
              w="min(260px, 48vw)"
              value={asLanguage(i18n.language)}
              onChange={(value) => isLanguage(value) && chooseLanguage(value)}
              data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
            />
          )}
        </SettingRow>
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
    </div>
  )
}
