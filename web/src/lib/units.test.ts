import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { texts as en } from './texts.en.ts'
import { texts as zh } from './texts.zh.ts'
import * as format from './format.ts'

const LOCALES = join(import.meta.dirname, '../../../locales')
const plain = (text: string) => text.replaceAll('\u2060', '').replaceAll(/[\u00a0\u2009]/g, ' ')

function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, each]) => leaves(each, `${path}.${key}`))
}

/** What product people wrote word for word, as all of the catalogue. */
const VERBATIM =
  /prints\/uploads\.json\.kinds$|shop\/pricing-server\.json\.save$|shop\/subscription\.json\.build\.annual$|shop\/partners\.json\.(?:hero|note|answer)/
/** Never one of them: from 90 s on, 10 or 30 s, millions of moves, a whole suite of looks, what plans give. */
const ALWAYS_MANY =
  /throttledMinutes|watchHint|gcode\.json\.cut|run\.looked|watch-server\.json\.facts|partners\.json\.gain\.detection|welcome\.json\.gain\.hours/

/** All texts of browser and server. */
const texts = globSync('*/*/*.json', { cwd: LOCALES })
  .filter((name) => !name.endsWith('/catalogue.json'))
  .flatMap((name) => leaves(JSON.parse(readFileSync(join(LOCALES, name), 'utf8')), name))
  .filter(([key]) => !VERBATIM.test(key))

const FIGURE = String.raw`(?:\d|\}\})`
const UNIT = '(?:min|s|h|d|mm|m|km|g|kg|°C|°|%|kB|MB|GB|TB|Mbit/s|kbit/s|fps)'

describe('one grammar of units, over all texts', () => {
  it('has a space between a figure and its unit', () => {
    const glued = new RegExp(`${FIGURE}${UNIT}(?![\\w/])`)
    expect(texts.filter(([, text]) => glued.test(text))).toEqual([])
  })

  it('breaks no line between a figure and its unit, on pages', () => {
    const breaks = new RegExp(`${FIGURE} (?:${UNIT}|秒|分钟|小时|天|毫米)(?![\\w/]|[\u00c0-\u024f])`)
    const onPages = texts.filter(([key]) => !/-server\.json/.test(key))
    expect(onPages.filter(([, text]) => breaks.test(text))).toEqual([])
  })

  it('says min, °C and MB, and none of their other spellings', () => {
    const other = new RegExp(
      `${FIGURE}\\s?(?:mins|sec|secs|hr|hrs|degrees|Mb|Kb|KB|MiB|GiB|°(?!C)|° C|[AP]M)(?!\\w)`,
    )
    expect(texts.filter(([, text]) => other.test(text))).toEqual([])
  })

  it('has no m for minutes: a figure before m is a length', () => {
    const metres = new RegExp(`${FIGURE}\\s?m(?!\\w)`)
    expect(texts.filter(([, text]) => metres.test(text))).toEqual([])
  })

  it('names counted things by the plural of the language', () => {
    const counted =
      /\{\{(?!count\b)\w+\}\} (?:seconds|minutes|hours|days|weeks|months|prints|printers|files|pictures|layers)\b/
    const written = texts.filter(
      ([key, text]) => !key.startsWith('zh') && !ALWAYS_MANY.test(key) && counted.test(text),
    )
    expect(written.map(([key]) => key)).toEqual([])
  })
})

describe.each([
  ['en', en],
  ['zh', zh],
])('one grammar of units, in the formatters in %s', (language, { common }) => {
  const { units } = common
  const times = `(?:${units.s}|${units.min}|${units.h}|${units.d})`
  const SECONDS = [0, 1, 59, 60, 61, 360, 3599, 3600, 4320, 86_399, 86_400, 400_000]

  it('durations are figures and units, the second figure of two', () => {
    const form = new RegExp(`^\\d+ ${times}(?: \\d{1,2} ${times})?$`)
    for (const seconds of SECONDS) {
      const written = format.duration(seconds, units)
      expect(plain(written)).toMatch(form)
      expect(written).not.toMatch(/\d \D/)
    }
    expect(plain(format.duration(360, units))).toBe(`6 ${units.min}`)
  })

  it('minutes of an age and of a duration are one word', () => {
    expect(plain(common.age.min)).toBe(`{{count}} ${units.min}`)
  })

  it.each([
    ['°C', (value: number) => format.degrees(value, 0)],
    ['°C', format.degrees],
    ['%', format.percent],
    ['mm', format.millimetres],
    ['g', format.grams],
    ['k?m', format.lengthOf],
    ['[kMGT]B', (value: number) => format.bytesIn(units, value)],
  ])('%s stands after a figure and a space', (unit, written) => {
    const form = new RegExp(`^\\d+(?:\\.\\d+)? ${unit}$`)
    for (const value of [0, 0.39, 1, 43.298, 210, 1023.6, 1_048_576, 5e9, 3e13]) {
      expect(plain(written(value))).toMatch(form)
      expect(written(value)).not.toContain(' ')
    }
  })

  it('the day has 24 hours', () => {
    for (let hour = 0; hour < 24; hour++) {
      const at = new Date(2026, 10, 24, hour, 5).getTime()
      const two = `${String(hour).padStart(2, '0')}:05`
      expect(format.clockTime(at)).toBe(two)
      expect(format.dateAndTime(language, at)).toContain(two)
      expect(format.moment(at, at - 3 * 86_400_000, language)).toContain(two)
    }
  })
})
