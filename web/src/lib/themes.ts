import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useBootstrap } from './session.ts'
import { tellApp } from './native-app.ts'

const NAMES = { light: 'Light', dark: 'Dark', auto: 'System' } as const

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

/** The text of a theme's name. */
export const themeText = { light: 'theme.light', dark: 'theme.dark', auto: 'theme.system' } as const
