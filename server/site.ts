import { type BrandWrite, FEATURE_FLAGS, type FeatureFlag } from '@vigil/contract/people/site.ts'
import type { Brand, Brands } from './brands/brands.ts'

type Flags = Readonly<Record<FeatureFlag, boolean>>

/** What of the settings an administrator may change while the server runs. */
export interface Site {
  readonly brands: Brands
  readonly flags: Flags
}

/** What was changed of it, as it is kept. */
export interface SiteChanges {
  readonly brands: Readonly<Record<string, BrandWrite>>
  readonly flags: { readonly [name in FeatureFlag]?: boolean | undefined }
}

interface Standing {
  /** As files and environment have it. */
  readonly usual: Site
  now: Site
}

const standings = new WeakMap<object, Standing>()

const standingOf = (config: object): Standing => {
  const standing = standings.get(config)
  if (standing === undefined) throw new Error('these settings were not read by readConfig')
  return standing
}

/** The site as files and environment have it. */
export const usualSite = (config: object): Site => standingOf(config).usual

const or = <T>(next: T | undefined, usual: T): T => (next === undefined ? usual : next)

function changed(brand: Brand, { brands: { [brand.name]: wish = {} } }: SiteChanges): Brand {
  return {
    ...brand,
    display_name: or(wish.display_name, brand.display_name),
    docs: or(wish.docs, brand.docs),
    community: or(wish.community, brand.community),
    theme: or(wish.theme, brand.theme),
    colors: or(wish.colors, brand.colors),
    email_from: or(wish.email_from, brand.email_from),
  }
}

/** The same with changes; brands that are gone count as none. */
function siteWith({ brands: [first, ...others], flags }: Site, changes: SiteChanges): Site {
  const {
    ACCOUNT_ALLOW_SIGN_UP: signUp,
    SHARING_ENABLED: sharing,
    DISCOVERY_ENABLED: discovery,
  } = changes.flags
  return {
    brands: [changed(first, changes), ...others.map((brand) => changed(brand, changes))],
    flags: {
      ACCOUNT_ALLOW_SIGN_UP: or(signUp, flags.ACCOUNT_ALLOW_SIGN_UP),
      SHARING_ENABLED: or(sharing, flags.SHARING_ENABLED),
      DISCOVERY_ENABLED: or(discovery, flags.DISCOVERY_ENABLED),
    },
  }
}

/** From now on the settings are as they were, with these changes: whoever reads them again reads the new ones. */
export function changeSite(config: object, changes: SiteChanges): void {
  const standing = standingOf(config)
  standing.now = siteWith(standing.usual, changes)
}

/** Settings of which brands and feature flags follow `changeSite`, and nothing else changes. */
export function withSite<C extends { readonly brands: Brands } & Flags>(config: C): Readonly<C> {
  const flags = {
    ACCOUNT_ALLOW_SIGN_UP: config.ACCOUNT_ALLOW_SIGN_UP,
    SHARING_ENABLED: config.SHARING_ENABLED,
    DISCOVERY_ENABLED: config.DISCOVERY_ENABLED,
  }
  const usual = { brands: config.brands, flags }
  const standing: Standing = { usual, now: usual }
  const living = { ...config }
  Object.defineProperty(living, 'brands', { enumerable: true, get: () => standing.now.brands })
  for (const name of FEATURE_FLAGS)
    Object.defineProperty(living, name, { enumerable: true, get: () => standing.now.flags[name] })
  standings.set(living, standing)
  return Object.freeze(living)
}
