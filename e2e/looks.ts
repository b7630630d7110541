import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FlavourName } from '@vigil/simulator/index.ts'
import { inSuite } from '../scripts/suites.ts'

/** How a journey is looked at, and what printer it is about. */
export interface Look {
  readonly flavour: FlavourName
  readonly width: 390 | 1440
  readonly theme: 'light' | 'dark'
  readonly language: 'en' | 'zh'
}

/**
 * Every two of flavour, width, theme and language meet in one of these (CONTRIBUTING.md). The first two are what
 * `toolhead.test.ts` and its like use without saying so; the others are those of `spread.test.ts`.
 */
export const LOOKS = {
  klipperDesk: { flavour: 'klipper', width: 1440, theme: 'light', language: 'en' },
  octoprintDesk: { flavour: 'octoprint', width: 1440, theme: 'light', language: 'en' },
  klipperPhone: { flavour: 'klipper', width: 390, theme: 'dark', language: 'zh' },
  octoprintPhone: { flavour: 'octoprint', width: 390, theme: 'light', language: 'zh' },
  octoprintNight: { flavour: 'octoprint', width: 1440, theme: 'dark', language: 'zh' },
  klipperPocket: { flavour: 'klipper', width: 390, theme: 'dark', language: 'en' },
} as const satisfies Record<string, Look>

/** Where an owner is in English, and in Chinese: journeys whose pages `look.test.ts` sees go by one of them in the gate, which looks at no other. */
export const BOTH_LANGUAGES = [
  ['en', LOOKS.klipperDesk],
  ['zh', LOOKS.klipperPhone],
] as const
export const OWNER_LOOKS = inSuite<readonly (readonly ['en' | 'zh', Look | null])[]>(
  [['en', null]],
  BOTH_LANGUAGES,
)

/** Options of a browser profile with that look. */
export function profileOf({ width, theme, language }: Look) {
  return {
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: theme,
    locale: language === 'zh' ? 'zh-CN' : 'en-GB',
    hasTouch: width === 390,
  } as const
}

/** The words of the page in a language: `say('printers:pause.button')`, with `{{values}}` filled in. */
export function wordsIn(language: Look['language']) {
  return (key: `${string}:${string}`, values: Record<string, string | number> = {}): string => {
    const [namespace, path] = key.split(':') as [string, string]
    const [file = namespace] = globSync(
      join(import.meta.dirname, '../locales', language, `*/${namespace}.json`),
    )
    const text = path
      .split('.')
      .reduce<unknown>(
        (node, part) => (node as Record<string, unknown>)[part],
        JSON.parse(readFileSync(file, 'utf8')),
      )
    if (typeof text !== 'string') throw new Error(`no words for ${key} in ${language}`)
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String({ brand: 'Vigil', ...values }[name]))
  }
}
