import { describe, expect, it } from 'vitest'
import { texts as en } from './texts.en.ts'
import { texts as zh } from './texts.zh.ts'

function leaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  const entries = Object.entries(value as object).flatMap(([key, each]) => [
    ...leaves(each, path ? `${path}.${key}` : key),
  ])
  return new Map(entries)
}

const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()

describe('texts', () => {
  const english = leaves(en)
  const chinese = leaves(zh)

  it('are complete in both languages', () => {
    expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  it('are never empty', () => {
    for (const [key, text] of [...english, ...chinese]) expect(text.trim(), key).not.toBe('')
  })

  it('use the same places', () => {
    for (const [key, text] of english) expect(places(chinese.get(key) ?? ''), key).toEqual(places(text))
  })
})
