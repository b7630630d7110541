import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type Plans, readPlans } from './plans.ts'

/** Where the brands that ship stand; `BRANDS_FOLDER` names another place. */
const SHIPPED = import.meta.dirname

const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #4053d6')
const accents = z.strictObject({ accent: color, accent_soft: color, on_accent: color })
const https = z
  .url({ protocol: /^https$/ })
  .nullable()
  .default(null)

/** A page of ours, below the prefix. */
const ownPage = z
  .string()
  .regex(/^\/(?:[a-z0-9_-]+\/)+$/, 'must be an https address or a path such as /help/')

/** One brand, as `brands.json` has it (docs/wire/rest.md 8). Its pictures stand in the folder of its name. */
const brand = z.strictObject({
  /** Number in the legacy user name (docs/wire/rest.md 5). */
  id: z.int().positive(),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short word in small letters'),
  display_name: z.string().trim().min(1).max(60),
  /** Hosts, or last three labels of hosts, at which this brand is shown. The first brand is shown at all others. */
  hosts: z.array(z.string().toLowerCase()).default([]),
  /** Our own help unless said otherwise; null shows none. */
  docs: z
    .union([z.url({ protocol: /^https$/ }), ownPage])
    .nullable()
    .default('/help/'),
  community: https,
  /** The only theme this brand comes in; null lets people choose. */
  theme: z.enum(['light', 'dark']).nullable().default(null),
  /** Null: the colours of the look. */
  colors: z.strictObject({ light: accents, dark: accents }).nullable().default(null),
  /** The address its letters are from; null: the server's own. */
  email_from: z.email().nullable().default(null),
  /** Where links in its letters and messages lead; null: where the server's do. */
  public_url: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/(?<!\/)\/{1,9}$/, ''))
    .nullable()
    .default(null),
  /** Programs whose User-Agent begins so always see this brand. */
  user_agent: z.string().min(3).nullable().default(null),
  /** Whether an app that names this brand also signs in to its accounts, whatever the host. */
  header_sign_in: z.boolean().default(false),
})

const unique = (values: readonly unknown[]) => new Set(values).size === values.length

const brands = z
  .array(brand)
  .min(1)
  .refine((all) => unique(all.map(({ name }) => name)) && unique(all.map(({ id }) => id)), {
    error: 'two brands have the same id or name',
  })

export type Brand = Readonly<z.infer<typeof brand>> & {
  /** Absolute path of its pictures. */
  readonly folder: string
  readonly plans: Plans
}
/** At least one; the first is everyone's who has no other. */
export type Brands = readonly [Brand, ...Brand[]]

/** Reads `brands.json` of a folder. Raises an error that says what is wrong with it. */
export function readBrands(folder = SHIPPED): Brands {
  const parsed = brands.safeParse(JSON.parse(readFileSync(join(folder, 'brands.json'), 'utf8')))
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '))
  const first = parsed.data[0]?.name ?? ''
  return parsed.data.map((one) => ({
    ...one,
    folder: resolve(folder, one.name),
    plans: readPlans(folder, one.name, first),
  })) as unknown as Brands
}

/** What decides which brand is shown, as it was sent: none of it is trusted. */
export interface BrandWish {
  /** Of the signed-in user. */
  readonly user?: string | undefined
  readonly userAgent?: string | undefined
  /** `X-Obico-Syndicate`, now or remembered. */
  readonly named?: string | undefined
  /** Host and port. */
  readonly host: string
}

const called = (all: Brands, name: string | undefined) => all.find((one) => one.name === name)

/** Exact host, else its last three labels, else the first (docs/wire/rest.md 8). */
function siteBrand(all: Brands, host: string): Brand {
  const bare = host.toLowerCase().replace(/:\d{1,5}$/, '')
  const tail = bare.split('.').slice(-3).join('.')
  const standing = (word: string) => all.find(({ hosts }) => hosts.includes(word))
  return standing(host.toLowerCase()) ?? standing(bare) ?? standing(tail) ?? all[0]
}

const ofProgram = (all: Brands, userAgent = '') =>
  all.find(({ user_agent: word }) => word !== null && userAgent.startsWith(word))

/**
 * The brand that a caller sees: the program's that is made for one, the user's, the named one, the site's. Names
 * nobody knows count as none (docs/wire/browsers.md 5; docs/wire/rest.md 8).
 */
export function shownBrand(all: Brands, { user, userAgent, named, host }: BrandWish): Brand {
  return ofProgram(all, userAgent) ?? called(all, user) ?? called(all, named) ?? siteBrand(all, host)
}

/**
 * The brand whose accounts a password is for: the site's. Another one only where that brand allows apps to name it,
 * so that a header gives nobody a second try at somebody's password (docs/wire/rest.md 8).
 */
export function accountBrand(all: Brands, { userAgent, named, host }: Omit<BrandWish, 'user'>): Brand {
  const wished = ofProgram(all, userAgent) ?? called(all, named)
  return wished?.header_sign_in ? wished : siteBrand(all, host)
}
