import { Menu, UnstyledButton } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSelector, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { asLanguage, LANGUAGES, type Language } from '../../lib/i18n.ts'
import { paths } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { themeText, useThemes } from '../../lib/themes.ts'
import { useChooseLanguage, useSignOut } from '../../features/accounts/account.api.ts'
import { openShortcuts } from '../../features/shortcuts/Shortcuts.tsx'
import { DetectionHours } from '../../ui/DetectionHours.tsx'
import styles from './UserMenu.module.css'

/** Who I am here, how it looks, and the way out. */
export function UserMenu() {
  const { t, i18n } = useTranslation(['common', 'shortcuts'])
  const user = useUser()
  const { themes, theme, chooseTheme } = useThemes()
  const chooseLanguage = useChooseLanguage()
  const signOut = useSignOut()
  const name = user.first_name || user.email

  return (
    <Menu position="top-start" width={208} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={styles.target}>
          <span className={styles.avatar} aria-hidden>
            {initials(user)}
          </span>
          <span className={styles.name}>
            {name}
            <small className={styles.hours}>
              <DetectionHours short />
            </small>
          </span>
          <IconSelector size={16} stroke={1.75} aria-hidden className={styles.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
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
          {t('open', { ns: 'shortcuts' })}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={signOut}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function initials(user: { first_name: string; last_name: string; email: string }): string {
  const named = `${user.first_name.trim().charAt(0)}${user.last_name.trim().charAt(0)}`
  return (named || user.email.slice(0, 2)).toUpperCase()
}
