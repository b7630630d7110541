import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { type Bootstrap, useBootstrap } from './session.ts'
import { tellApp } from './native-app.ts'
import { readStored } from './stored.ts'

/** What was chosen in this browser; read before anything is drawn, too. */
export const THEME_KEY = 'colorTheme'

const NAMES = { light: 'Light', dark: 'Dark', auto: 'System' } as const

type Theme = NonNullable<NonNullable<Bootstrap['user']>['theme']>

/** As the account knows it. */
export const themeOf = (scheme: MantineColorScheme): Theme => (scheme === 'auto' ? 'system' : scheme)

/** The themes that can be chosen here, the present one, and how to choose; none where the brand has but one. */
export function useThemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { page_context: context } = useBootstrap()
  const all: MantineColorScheme[] =
    context.app_platform === 'android' ? ['light', 'dark'] : ['light', 'dark', 'auto']
  return {
    themes: context.syndicate.theme ? [] : all,
    theme: colorScheme,
    chooseTheme(next: MantineColorScheme) {
      setColorScheme(next)
      tellApp({ theme: NAMES[next] })
    },
  }
}

/** Where none was chosen on this device, the one that was chosen on another. */
export function useFollowTheme(theme: Theme | null | undefined): void {
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => {
    if (theme && readStored(THEME_KEY) === null) setColorScheme(theme === 'system' ? 'auto' : theme)
  }, [theme, setColorScheme])
}

/** The text of a theme's name. */
export const themeText = { light: 'theme.light', dark: 'theme.dark', auto: 'theme.system' } as const
