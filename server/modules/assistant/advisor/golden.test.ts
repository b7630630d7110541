import { describe, expect, it } from 'vitest'
import { goldens, tried } from './golden.fixture.ts'
import { table } from './table.ts'

describe('120 conversations in two languages', () => {
  it.each(goldens.map((golden) => [golden.turns.join(' / '), golden] as const))('%s', (_, golden) => {
    const { wrong, harmful } = tried(golden)
    expect({ wrong, harmful }).toEqual({ wrong: [], harmful: [] })
  })

  it('are 60 in each', () => {
    const count = (language: string) => goldens.filter((one) => one.language === language).length
    expect([count('en'), count('zh')]).toEqual([60, 60])
  })
})

describe('the table', () => {
  it('speaks of settings, values, rules and sources that there are', () => {
    const rules = new Set(table().rules.map(({ id }) => id))
    for (const { id, set, against, source } of table().rules) {
      for (const { do: effect } of set) {
        const setting = table().settings[effect.key]
        expect(setting, `${id}: ${effect.key}`).toBeDefined()
        if (setting?.values) expect(Object.keys(setting.values), id).toContain(effect.value)
      }
      for (const other of against) expect(rules, id).toContain(other)
      expect(Object.keys(table().sources), id).toContain(source.split(' ')[0])
    }
    for (const { id, apply } of table().geometry) for (const rule of apply) expect(rules, id).toContain(rule)
    for (const [key, { type, range, values }] of Object.entries(table().settings))
      expect(type === 'flag' || range !== undefined || values !== undefined, key).toBe(true)
  })

  it('has words of both languages for every rule', () => {
    for (const { id, en, zh } of table().rules)
      expect([id, en.length > 0, zh.length > 0]).toEqual([id, true, true])
  })
})
