import { expect, it } from 'vitest'
import { isNamesake } from './passwords.rules.ts'

const of = { email: 'maria.huber@example.org', brands: ['Print Farm'] }

it.each(['vigil1234', 'Vigil-2026!', 'MariaMaria', 'huber1990', 'PrintFarm1', 'vigilprinter', 'example99'])(
  '%s is what anybody would try first',
  (password) => expect(isNamesake(password, of)).toBe(true),
)

it.each(['a good long one', 'maria likes tea', '84729301', 'vigil of the night', '打印机之夜晚安'])(
  '%s is not',
  (password) => expect(isNamesake(password, of)).toBe(false),
)
