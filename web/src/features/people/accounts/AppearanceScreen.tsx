import { SegmentedControl } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { themeText } from '../../../lib/themes.ts'
import { useTitle } from '../../../lib/title.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { useChosenThemes } from './account.api.ts'
import shared from '../../../ui/shared.module.css'

/** `/user_preferences/personalization/`: the theme, which follows the account. */
export default function AppearanceScreen() {
  const { t } = useTranslation('accounts')
  const { t: common } = useTranslation('common')
  const { themes, theme, chooseTheme } = useChosenThemes()
  useTitle(t('preferences.sections.appearance'))
  if (themes.length === 0) return <GoTo to={paths.preferences} />
  return (
    <div className={shared.page}>
      <PageHeader
        title={t('preferences.sections.appearance')}
        back={{ to: paths.preferences, label: t('preferences.title') }}
      />
      <Panel>
        <SettingRow label={t('preferences.theme')} hint={t('preferences.themeHint')} wide>
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
      </Panel>
    </div>
  )
}
