import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInstance } from 'i18next'

export type Language = 'en' | 'zh'
/** What stands in a sentence's places: words, numbers, or another sentence, which is said in the same language. */
type Params = Readonly<Record<string, string | number | Text>>
type Catalogue = Readonly<Record<string, string>>

/** A text for people as a code with parameters; it becomes words at the edge, in the reader's language. */
export class Text {
  readonly file: string
  readonly key: string
  readonly params: Params
  constructor(file: string, key: string, params: Params) {
    this.file = file
    this.key = key
    this.params = params
  }
  /** Its words in a language. */
  in(language: Language): string {
    return say(language, this)
  }
  toString(): string {
    return say('en', this)
  }
  toJSON(): string {
    return say('en', this)
  }
}

/** `text('accounts-server', 'emailTaken')`: a key of `locales/{en,zh}/people/accounts-server.json`, whatever its wing. */
export const text = (file: string, key: string, params: Params = {}) => new Text(file, key, params)

const FOLDER = new URL('../../locales/', import.meta.url)

function readCatalogues(language: Language): Record<string, Catalogue> {
  const folder = new URL(`${language}/`, FOLDER)
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const names = all.filter((name) => name.endsWith('-server.json'))
  return Object.fromEntries(
    names.map((name) => [
      basename(name, '.json'),
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Catalogue,
    ]),
  )
}

const catalogues = { en: readCatalogues('en'), zh: readCatalogues('zh') }

/** The library of the browser's texts; a key may hold dots, and what is put into a sentence is never read as one. */
const i18n = createInstance({
  resources: catalogues,
  fallbackLng: 'en',
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false, skipOnVariables: true },
  missingInterpolationHandler: () => '',
})
void i18n.init()

/** Sentences that the contract holds in English (zod messages) and their translation. */
const translations = new Map(
  Object.entries(catalogues.en).flatMap(([file, texts]) =>
    Object.entries(texts).map(([key, english]) => [english, catalogues.zh[file]?.[key] ?? english] as const),
  ),
)

/** A number named `count` chooses between `key_one` and `key_other`. */
function say(language: Language, { file, key, params }: Text): string {
  const said = Object.entries(params).map(([name, param]) => [
    name,
    param instanceof Text ? say(language, param) : param,
  ])
  const { count } = params
  return i18n.t(key, {
    lng: language,
    ns: file,
    replace: Object.fromEntries(said),
    ...(typeof count === 'number' ? { count } : {}),
  })
}

/** An answer's body in the reader's language: every `Text` in it becomes words. */
export function inLanguage(body: unknown, language: Language): unknown {
  if (body instanceof Text) return say(language, body)
  if (typeof body === 'string') return language === 'en' ? body : (translations.get(body) ?? body)
  if (Array.isArray(body)) return body.map((part) => inLanguage(part, language))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, part]) => [key, inLanguage(part, language)]))
}
