import { expect, test } from 'vitest'
import { watchCode } from '@vigil/contract/watch/watch-code.ts'
import en from '../../../../locales/en/printers/printers.json' with { type: 'json' }
import zh from '../../../../locales/zh/printers/printers.json' with { type: 'json' }
import { whyNotWatched } from './notice.texts.ts'

test.each([
  ['en', en],
  ['zh', zh],
] as const)('page and message say the same reason: %s', (language, { why }) => {
  for (const code of watchCode.options) expect(whyNotWatched(code).in(language)).toBe(why[code])
})
