import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSelector, IconSun, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { asLanguage, LANGUAGES, type Language } from '../../lib/i18n.ts'
import { paths } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { useChooseLanguage, useSignOut } from '../../features/accounts/account.api.ts'
import styles from './UserMenu.module.css'

const SCHEMES = [
  { value: 'light', text: 'theme.light', icon: IconSun },
  { value: 'dark', text: 'theme.dark', icon: IconMoon },
  { value: 'auto', text: 'theme.system', icon: IconDeviceDesktop },
] as const

/** Who I am here, how it looks, and the way out. */
export function UserMenu() {
  const { t, i18n } = useTranslation('common')
  const user = useUser()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const chooseLanguage = useChooseLanguage()
  const signOut = useSignOut()
  const name = user.first_name || user.email
  const check = <IconCheck size={16} stroke={1.75} />

  return (
    <Menu position="top-start" width={208} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={styles.target}>
          <span className={styles.avatar} aria-hidden>
            {initials(user)}
          </span>
          <span className={styles.name}>{name}</span>
          <IconSelector size={16} stroke={1.75} aria-hidden className={styles.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('theme.label')}</Menu.Label>
        {SCHEMES.map(({ value, text, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={18} stroke={1.75} />}
            rightSection={colorScheme === value ? check : null}
            aria-checked={colorScheme === value}
            role="menuitemradio"
            onClick={() => setColorScheme(value)}
          >
            {t(text)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {(Object.keys(LANGUAGES) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            rightSection={asLanguage(i18n.language) === language ? check : null}
            aria-checked={asLanguage(i18n.language) === language}
            role="menuitemradio"
            lang={language}
            onClick={() => chooseLanguage(language)}
          >
            {LANGUAGES[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUser size={18} stroke={1.75} />}
          closeMenuOnClick
          renderRoot={(props) => <Link {...props} to={paths.preferences} />}
        >
          {t('nav.preferences')}
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
