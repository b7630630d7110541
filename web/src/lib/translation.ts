import i18next, { type i18n } from 'i18next'
import { useTranslation as useLibrary } from 'react-i18next'
import type { texts } from './texts.en.ts'

/** Texts that no page begins with: parts that are loaded later bring them. */
interface Later {
  assistant: typeof import('../../../locales/en/assistant/assistant.json')
}
type Resources = typeof texts & Later
type Namespace = keyof Resources

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
/** With `count`, `left_one` and `left_other` are asked for as `left`. */
type Asked<Key extends string> = Key extends `${infer Bare}_${Plural}` ? Bare | Key : Key
type Lists = readonly unknown[]
type KeysIn<T> = {
  [Key in keyof T & string]: T[Key] extends string
    ? Asked<Key>
    : T[Key] extends Lists
      ? never
      : `${Key}.${KeysIn<T[Key]>}`
}[keyof T & string]
type ListsIn<T> = {
  [Key in keyof T & string]: T[Key] extends string
    ? never
    : T[Key] extends Lists
      ? Key
      : `${Key}.${ListsIn<T[Key]>}`
}[keyof T & string]
type Keys = { [N in Namespace]: KeysIn<Resources[N]> }
type Named = { [N in Namespace]: `${N}:${Keys[N]}` }

/** The keys of a namespace; of several, the first one's and all with their namespace before them. */
type KeysOf<N> = N extends readonly [infer First extends Namespace, ...Namespace[]]
  ? Keys[First] | Named[N[number]]
  : N extends Namespace
    ? Keys[N] | Named[N]
    : never

/** The keys of lists of texts. */
type ListsOf<N> = N extends Namespace ? ListsIn<Resources[N]> : never

/** Says a text in the language of the page. `values` fill its places; `count` chooses between one and many. */
export interface Texts<N = 'common'> {
  (key: KeysOf<N>): string
  (key: KeysOf<N>, values: Readonly<Record<string, unknown>>): string
  /** One that there may be no text for. */
  (key: string, values: { readonly defaultValue: string }): string
  (key: ListsOf<N>, values: { readonly returnObjects: true }): string[]
}

/**
 * The texts of a namespace, drawn anew when the language changes. The library's own types of keys take a third of the time in which all
 * of the client is checked.
 */
export function useTranslation<const N extends Namespace | readonly Namespace[] = 'common'>(
  namespace?: N,
): { t: Texts<N>; i18n: i18n } {
  return useLibrary(namespace)
}

/** Says a text where nothing is drawn, in the language of the moment; what keeps it does not change with the language. */
export const say = (key: Named[Namespace], values: Readonly<Record<string, unknown>> = {}): string =>
  i18next.t(key, values)
