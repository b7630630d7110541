import type { Brand } from '../../../brands/brands.ts'
import type { Cycle } from '../../../brands/plans.ts'
import { type Html, html } from '../../../lib/html.ts'
import type { Language } from '../../../http/texts.ts'

/** Who looks, and at whose prices. */
export interface Reader {
  readonly brand: Brand
  readonly prefix: string
  readonly language: Language
  readonly isSignedIn: boolean
  /** Has a plan already, be it tried. */
  readonly hasPlan: boolean
  /** Signed in on the Free plan, or on a trial: others change what they have, on its own page. */
  readonly mayBuy: boolean
  /** How this server sells; `none`: not at all. */
  readonly checkout: 'none' | 'sandbox' | 'live'
  readonly maySignUp: boolean
  /** A model answers in the slicer's assistant: plans have questions to it. */
  readonly hasModel: boolean
}

/** The page's words by their keys. */
export type Say = (key: string, params?: Record<string, string | number>) => string

const ANNUAL_AND_MONTHLY = ['annual', 'monthly'] as const

/** Whole cents as people write them, without cents where there are none. */
export function money(cents: number, currency: string, language: Language): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}

/** Of a month, rounded to a cent. */
export const monthly = ({ brand, language }: Reader, cents: number, cycle: Cycle) =>
  money(Math.round(cents / brand.plans.cycles[cycle].months), brand.plans.currency, language)

/** A figure as both cycles have it; the page shows one. */
export const both = (write: (cycle: Cycle) => string | Html): Html[] =>
  ANNUAL_AND_MONTHLY.map((cycle) => html`<span class="${cycle}">${write(cycle)}</span>`)

/** A button that is a link; the main one of its place is filled. */
export const button = ({ prefix }: Reader, path: string, words: string, isMain = false): Html =>
  html`<a class="button ${isMain && 'main'}" href="${path.startsWith('#') ? path : prefix + path}"
    >${words}</a
  >`

/** Where one begins: from there one is welcomed to the trial. */
export const startPath = ({ maySignUp }: Reader): string => `/accounts/${maySignUp ? 'signup' : 'login'}/`
