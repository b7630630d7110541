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

/** One of the three, as light: WCAG 2.2, relative luminance. */
function light(part: string): number {
  const value = Number.parseInt(part, 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function luminance(color: string): number {
  const [, red = '00', green = '00', blue = '00'] = /^#(..)(..)(..)$/.exec(color) ?? []
  return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue)
}

/** How well one colour is read on another, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
