import { LANGUAGE_COOKIE } from '@vigil/contract/language.ts'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { basePath } from './base.ts'
import { readStored, writeStored } from './stored.ts'

export const LANGUAGES = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof LANGUAGES
const KEY = 'user-language'
const YEAR_S = 31_536_000

const loaders: Record<Language, () => Promise<Record<string, object>>> = {
  en: async () => (await import('./texts.en.ts')).texts,
  zh: async () => (await import('./texts.zh.ts')).texts,
}

export const isLanguage = (word: string | null): word is Language =>
  word !== null && Object.hasOwn(LANGUAGES, word)

/** `zh`, `zh-CN`, `zh-Hant` are Chinese; all else is English. */
export function asLanguage(tag: string | null | undefined): Language {
  return tag?.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** The language of the first paint: chosen here before, else the browser's. */
export function firstLanguage(): Language {
  return asLanguage(readStored(KEY) ?? navigator.language)
}

export function hasChosenLanguage(): boolean {
  return readStored(KEY) !== null
}

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'none',
    fallbackLng: false,
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    resources: {},
    react: { useSuspense: false },
  })
  tellServer()
  await showLanguage(firstLanguage())
}

/** What texts call `{{brand}}`. */
export function nameBrand(brand: string): void {
  Object.assign(i18next.options.interpolation ?? {}, { defaultVariables: { brand } })
}

/** Loads a language's texts once and shows them everywhere. */
export async function showLanguage(language: Language): Promise<void> {
  for (const [namespace, texts] of Object.entries(await loaders[language]()))
    i18next.addResourceBundle(language, namespace, texts, true, true)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}

/** The person chose: shown now and remembered in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language)
  writeStored(KEY, language)
  tellServer()
}

/** What was chosen here goes with each call: pages that the server draws speak it, too. */
function tellServer(): void {
  const chosen = readStored(KEY)
  if (chosen === null) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${LANGUAGE_COOKIE}=${asLanguage(chosen)}; Path=${basePath}; Max-Age=${YEAR_S}; SameSite=Lax${secure}`
}
