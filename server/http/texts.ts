import { readdirSync, readFileSync } from 'node:fs'

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

/** `text('accounts-server', 'emailTaken')`: a key of `locales/{en,zh}/accounts-server.json`. */
export const text = (file: string, key: string, params: Params = {}) => new Text(file, key, params)

const FOLDER = new URL('../../locales/', import.meta.url)

function readCatalogues(language: Language): ReadonlyMap<string, Catalogue> {
  const folder = new URL(`${language}/`, FOLDER)
  const names = readdirSync(folder).filter((name) => name.endsWith('-server.json'))
  return new Map(
    names.map((name) => [
      name.slice(0, -5),
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Catalogue,
    ]),
  )
}

const catalogues = { en: readCatalogues('en'), zh: readCatalogues('zh') }

/** Sentences that the contract holds in English (zod messages) and their translation. */
const translations = new Map(
  [...catalogues.en].flatMap(([file, texts]) =>
    Object.entries(texts).map(
      ([key, english]) => [english, catalogues.zh.get(file)?.[key] ?? english] as const,
    ),
  ),
)

function say(language: Language, { file, key, params }: Text): string {
  const words = catalogues[language].get(file)?.[key] ?? catalogues.en.get(file)?.[key] ?? key
  return words.replace(/\{\{(\w{1,60})\}\}/g, (_, name: string) => {
    const param = params[name] ?? ''
    return param instanceof Text ? say(language, param) : String(param)
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
