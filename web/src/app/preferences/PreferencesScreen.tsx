import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from '../../lib/translation.ts'
import GeneralScreen from '../../features/people/accounts/GeneralScreen.tsx'
import { paths } from '../../lib/paths.ts'
import { useBootstrap } from '../../lib/session.ts'
import { useTitle } from '../../lib/title.ts'
import { GoTo } from '../../ui/GoTo.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Panel } from '../../ui/Panel.tsx'
import shared from '../../ui/shared.module.css'
import { SectionList } from './SectionList.tsx'
import { useSections } from './useSections.ts'

/** Where there is room for all beside each other (PreferencesFrame.module.css). */
const WIDE = '(min-width: 1140px)'

/** The list of the sections; where they stand beside every page, the first of them. */
export default function PreferencesScreen() {
  const { t } = useTranslation('accounts')
  const { page_context: context } = useBootstrap()
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const sections = useSections()
  useTitle(t('preferences.title'))
  if (isWide && context.app_platform === null)
    return sections[0]?.to === paths.general ? <GeneralScreen /> : <GoTo to={paths.notifications} />
  return (
    <div className={shared.page}>
      <PageHeader title={t('preferences.title')} />
      <Panel>
        <SectionList isAlone sections={sections} />
      </Panel>
    </div>
  )
}
