import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { flag, orNull, text } from '../values.ts'
import { brand } from './accounts.ts'
import { proofWanted } from './proof.ts'

/** Settings that may be turned while the server runs. */
export const FEATURE_FLAGS = ['ACCOUNT_ALLOW_SIGN_UP', 'SHARING_ENABLED', 'DISCOVERY_ENABLED'] as const
export type FeatureFlag = (typeof FEATURE_FLAGS)[number]

const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #4053d6')
const accents = z.object({ accent: color, accent_soft: color, on_accent: color })
const ownPage = z
  .string()
  .regex(/^\/(?:[a-z0-9_-]{1,60}\/){1,6}$/, 'must be an https address or a path such as /help/')
const address = (kind: z.ZodType<string, string>) => orNull(text(500).pipe(kind)).optional()
const https = z.url({ protocol: /^https$/, error: 'must be an https address' })

/** What of a brand may be changed while the server runs; hosts and names of brands stand in its file alone. */
export const brandWrite = z.object({
  display_name: text(60).trim().min(1, 'This field may not be blank.').optional(),
  docs: address(z.union([https, ownPage])),
  community: address(https),
  /** The only theme there is; null lets people choose. */
  theme: orNull(z.enum(['light', 'dark'])).optional(),
  colors: orNull(z.object({ light: accents, dark: accents })).optional(),
  email_from: address(z.email({ error: 'Enter a valid email address.' })),
})
export type BrandWrite = z.infer<typeof brandWrite>

const siteBrand = z.object({
  /** As its people see it. */
  shown: brand,
  hosts: z.array(z.string()),
  email_from: z.string().nullable(),
  /** Not as its file has it. */
  is_changed: z.boolean(),
})

/** Brands and settings as they stand on this server. */
export const site = z
  .object({
    is_enterprise: z.boolean(),
    brands: z.array(siteBrand),
    flags: z.array(
      z.object({
        name: z.enum(FEATURE_FLAGS),
        value: z.boolean(),
        /** As the environment has it. */
        usual: z.boolean(),
        is_changed: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Site' })
export type Site = z.infer<typeof site>

const callers = ['session'] as const
const base = '/api/v1/admin/site/'
const named = z.object({ name: text(32) })

export const getSite = endpoint({
  method: 'GET',
  path: base,
  callers,
  summary: 'Brands and settings of this server, for administrators',
  response: site,
})

export const changeBrand = endpoint({
  method: 'PATCH',
  path: `${base}brands/:name/`,
  callers,
  summary: 'Dresses a brand anew, on all nodes at once; what is not named stays',
  params: named,
  body: brandWrite,
  answers: { 403: proofWanted },
  response: site,
})

export const resetBrand = endpoint({
  method: 'DELETE',
  path: `${base}brands/:name/`,
  callers,
  summary: 'A brand as its file has it',
  params: named,
  answers: { 403: proofWanted },
  response: site,
})

export const turnFlag = endpoint({
  method: 'PUT',
  path: `${base}flags/:name/`,
  callers,
  summary: 'Turns a feature on or off, on all nodes at once; null: as the environment has it',
  params: z.object({ name: z.enum(FEATURE_FLAGS) }),
  body: z.object({ value: flag.nullable() }),
  answers: { 403: proofWanted },
  response: site,
})
