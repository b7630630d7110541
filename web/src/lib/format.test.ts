import { describe, expect, it } from 'vitest'
import { age, degrees, duration, filament, finite, millimetres, percent, withUnit } from './format.ts'

const EN = { s: 's', min: 'min', h: 'h', d: 'd' }
const plain = (text: string) => text.replace(/\u2060/g, '').replace(/[\u00a0\u2009]/g, ' ')

describe('duration', () => {
  it.each([
    [-5, '0 s'],
    [41.4, '41 s'],
    [720, '12 min'],
    [4320, '1 h 12 min'],
    [7380, '2 h 03 min'],
    [3599, '1 h 00 min'],
    [86_340, '23 h 59 min'],
    [93_600, '1 d 2 h'],
  ])('%d s reads %s', (seconds, text) => {
    expect(plain(duration(seconds, EN))).toBe(text)
  })
})

describe('age', () => {
  it('names the largest unit only', () => {
    expect(age(4.9)).toEqual({ unit: 's', count: 4 })
    expect(age(125)).toEqual({ unit: 'min', count: 2 })
    expect(age(10_800)).toEqual({ unit: 'h', count: 3 })
    expect(age(300_000)).toEqual({ unit: 'd', count: 3 })
  })

  it('never runs ahead of now', () => {
    expect(age(-3)).toEqual({ unit: 's', count: 0 })
  })
})

describe('numbers', () => {
  it('never says 100 % before it is done', () => {
    expect(plain(percent(99.99))).toBe('99 %')
    expect(plain(percent(99.99, 1))).toBe('99.9 %')
    expect(plain(percent(100))).toBe('100 %')
    expect(plain(percent(140))).toBe('100 %')
  })

  it('keeps one decimal of temperatures and drops empty ones of lengths', () => {
    expect(plain(degrees(60))).toBe('60.0 °C')
    expect(plain(degrees(210, 0))).toBe('210 °C')
    expect(plain(millimetres(42.4))).toBe('42.4 mm')
    expect(plain(millimetres(3))).toBe('3 mm')
    expect(plain(filament(390))).toBe('0.39 m')
    expect(plain(withUnit('+0.050', 'mm'))).toBe('+0.050 mm')
  })

  it('takes nothing for granted that an agent says', () => {
    expect(finite('12.5')).toBe(12.5)
    expect(finite('')).toBeNull()
    expect(finite(Number.NaN)).toBeNull()
    expect(finite(null)).toBeNull()
    expect(finite({})).toBeNull()
  })
})
