import {
  type CSSVariablesResolver,
  localStorageColorSchemeManager,
  MantineProvider,
  type MantineColorSchemeManager,
  useComputedColorScheme,
} from '@mantine/core'
import type { Brand } from '@vigil/contract/people/accounts.ts'
import { type ReactNode, useEffect, useMemo } from 'react'
import { firstTheme, type Theme, useBrandOrNull } from '../lib/brand.ts'
import { THEME_KEY } from '../lib/themes.ts'
import { resolverFor, theme } from './theme.ts'
import { dark, light } from './tokens.ts'

/** What the policy of the page lets styles in by that are made here (docs/security.md); none where the page is developed. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// And those that a dialog makes, which keeps the page behind it still.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const stored = localStorageColorSchemeManager({ key: THEME_KEY })

interface DressedProps {
  children: ReactNode
  /** Where a program around the page says how bright it is. */
  scheme?: Theme | null
}

/** Everything below is shown in the brand's colours and theme (docs/wire/rest.md 8). */
export function Dressed({ children, scheme = null }: DressedProps) {
  const brand = useBrandOrNull()
  const colors = brand?.colors ?? null
  const resolver: CSSVariablesResolver = useMemo(() => resolverFor(colors), [colors])
  const forced = scheme ?? (brand ? brand.theme : firstTheme)
  // The first frame too shows the only theme, not what was chosen under another brand.
  const schemes: MantineColorSchemeManager = useMemo(
    () => ({ ...stored, get: (other) => forced ?? stored.get(other) }),
    [forced],
  )
  return (
    <MantineProvider
      key={forced ?? 'free'}
      theme={theme}
      getStyleNonce={() => nonce}
      cssVariablesResolver={resolver}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      forceColorScheme={forced ?? undefined}
    >
      {brand && <Head brand={brand} />}
      {children}
    </MantineProvider>
  )
}

/** What stands outside the page itself: icons and manifest of the brand, and the browser's own colour. */
function Head({ brand: { name } }: { brand: Brand }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    document.body.dataset['tenant'] = name
    for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[href*="/brands/"]')) {
      const address = link.getAttribute('href')!.replace(/\/brands\/[^/]+\//, `/brands/${name}/`)
      link.setAttribute(
        'href',
        link.rel === 'manifest' ? address.replace(/\?.*|$/, `?theme=${scheme}`) : address,
      )
    }
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute('content', (scheme === 'dark' ? dark : light).page)
  }, [name, scheme])
  return null
}
