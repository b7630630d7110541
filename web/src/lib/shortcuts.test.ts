import { describe, expect, it } from 'vitest'
import { keyOf, match, SHORTCUTS, type ShortcutName } from './shortcuts.ts'

const all = Object.keys(SHORTCUTS) as ShortcutName[]

describe('the table of shortcuts', () => {
  it('has no two alike, and none that begins another', () => {
    for (const one of all)
      for (const other of all.filter((name) => name !== one)) {
        expect(SHORTCUTS[other].keys, `${one} and ${other}`).not.toBe(SHORTCUTS[one].keys)
        expect(SHORTCUTS[other].keys.startsWith(`${SHORTCUTS[one].keys} `), `${one} in ${other}`).toBe(false)
      }
  })
})

describe('match', () => {
  it('finds what is offered, waits for the rest, and knows nothing else', () => {
    expect(match('p', ['pause', 'goPrinters'])).toBe('pause')
    expect(match('g', ['pause', 'goPrinters'])).toBe('more')
    expect(match('g l', ['pause', 'goPrinters'])).toBe('goPrinters')
    expect(match('g p', ['pause', 'goPrinters'])).toBeNull()
    expect(match('p', ['goPrinters'])).toBeNull()
    expect(match('g', ['pause'])).toBeNull()
  })
})

describe('keyOf', () => {
  it.each([
    [{ key: 'p', code: 'KeyP' }, 'p'],
    [{ key: 'P', code: 'KeyP' }, 'p'],
    [{ key: 'p', code: 'KeyR' }, 'p'],
    [{ key: 'з', code: 'KeyP' }, 'p'],
    [{ key: '?', code: 'Slash' }, '?'],
    [{ key: 'Enter', code: 'Enter' }, null],
    [{ key: 'Process', code: 'KeyP' }, null],
    [{ key: ' ', code: 'Space' }, null],
  ])('%o is %s', (event, key) => {
    expect(keyOf(event)).toBe(key)
  })
})
