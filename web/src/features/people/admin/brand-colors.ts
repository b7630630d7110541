import type { Brand } from '@vigil/contract/people/accounts.ts'

/** A brand without colours of its own has those of the look (web/src/app/tokens.ts). */
export const FIRST_COLORS: NonNullable<Brand['colors']> = {
  light: { accent: '#4053d6', accent_soft: '#e9ecff', on_accent: '#ffffff' },
  dark: { accent: '#8c9bff', accent_soft: '#232a4d', on_accent: '#0f1115' },
}
/** The grounds of the look, as in web/src/app/tokens.ts. */
export const GROUNDS = {
  light: { bg: '#ffffff', c: '#1b1d22' },
  dark: { bg: '#171a20', c: '#eceef2' },
} as const
