import { Menu } from '@mantine/core'
import { IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../lib/translation.ts'
import { asLanguage, LANGUAGES, type Language } from '../../lib/i18n.ts'
import { paths } from '../../lib/paths.ts'
import { themeText } from '../../lib/themes.ts'
import { useChooseLanguage, useChosenThemes } from '../../features/people/accounts/account.api.ts'
import { useSignOut } from '../../features/people/sign-in/sign-in.api.ts'
import { openShortcuts } from '../../features/core/shortcuts/Shortcuts.tsx'
import type { LoadedMenuProps } from '../../ui/lazy-menu.tsx'

/** Theme, language, and what else is mine. */
export function UserMenuList({ button, ...menu }: LoadedMenuProps) {
  const { t } = useTranslation(['common', 'shortcuts'])
  const signOut = useSignOut()
  return (
    <Menu position="top-start" width={208} closeOnItemClick={false} {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Looks />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUser size={18} stroke={1.75} />}
          closeMenuOnClick
          renderRoot={(props) => <Link {...props} to={paths.preferences} />}
        >
          {t('nav.preferences')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={18} stroke={1.75} />}
          closeMenuOnClick
          onClick={openShortcuts}
        >
          {t('shortcuts:open')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={signOut}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Looks() {
  const { t, i18n } = useTranslation('common')
  const { themes, theme, chooseTheme } = useChosenThemes()
  const chooseLanguage = useChooseLanguage()
  return (
    <>
      {themes.length > 0 && (
        <>
          <Menu.Label>{t('theme.label')}</Menu.Label>
          <Menu.RadioGroup value={theme} onChange={(value) => chooseTheme(value as typeof theme)}>
            {themes.map((value) => (
              <Menu.RadioItem key={value} value={value}>
                {t(themeText[value])}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
        </>
      )}
      <Menu.Label>{t('language')}</Menu.Label>
      <Menu.RadioGroup
        value={asLanguage(i18n.language)}
        onChange={(value) => chooseLanguage(value as Language)}
      >
        {(Object.keys(LANGUAGES) as Language[]).map((language) => (
          <Menu.RadioItem key={language} value={language} lang={language}>
            {LANGUAGES[language]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
