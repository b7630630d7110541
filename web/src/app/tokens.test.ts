import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import shipped from '../../../server/brands/brands.json'
import { contrast, FIRST_COLORS, GROUNDS } from '../features/people/admin/brand-colors.ts'
import { accented, dark, light, type Tokens } from './tokens.ts'

const TEXT: [keyof Tokens, (keyof Tokens)[]][] = [
  ['ink', ['page', 'surface', 'raised', 'badSoft', 'warnSoft', 'accentSoft']],
  ['soft', ['page', 'surface', 'raised', 'badSoft']],
  ['faint', ['page', 'surface', 'raised']],
  ['accent', ['page', 'surface', 'accentSoft']],
  ['good', ['page', 'surface', 'goodSoft']],
  ['warn', ['page', 'surface', 'warnSoft']],
  ['bad', ['page', 'surface', 'badSoft']],
  ['onAccent', ['accent']],
  ['onGood', ['good']],
  ['onWarn', ['warn']],
  ['onBad', ['bad']],
  ['onCamera', ['camera']],
  ['onCameraSoft', ['camera']],
]

const looks: [string, Tokens][] = [
  ['light', light],
  ['dark', dark],
  ...shipped.flatMap(({ name, colors }): [string, Tokens][] =>
    colors
      ? [
          [`${name}'s light`, accented(light, colors.light)],
          [`${name}'s dark`, accented(dark, colors.dark)],
        ]
      : [],
  ),
]

describe.each(looks)('%s theme', (_, tokens) => {
  it('has colours that can be compared', () => {
    for (const name of TEXT.flatMap(([ink, grounds]) => [ink, ...grounds]))
      expect(tokens[name]).toMatch(/^#[0-9a-f]{6}$/i)
  })

  it.each(TEXT.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const)))(
    '%s is readable on %s',
    (ink, ground) => {
      expect(contrast(tokens[ink], tokens[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(['arcGood', 'arcWarn', 'arcBad', 'accent'] as const)('%s stands out as a shape', (shape) => {
    expect(contrast(tokens[shape], tokens.surface)).toBeGreaterThanOrEqual(3)
  })
})

describe('what administrators see a brand in before it is dressed', () => {
  it.each([
    ['light', light],
    ['dark', dark],
  ] as const)('is the %s look', (scheme, { surface, ink, accent, accentSoft, onAccent }) => {
    expect(GROUNDS[scheme]).toEqual({ bg: surface, c: ink })
    expect(FIRST_COLORS[scheme]).toEqual({ accent, accent_soft: accentSoft, on_accent: onAccent })
  })
})

describe('the ground of the page', () => {
  it.each([
    'web/index.html',
    'web/offline.html',
    'web/public/first-paint.js',
    'web/src/app/global.css',
    'web/src/offline/page.css',
    'server/http/brands.ts',
  ])('is the same in %s, which is read before any script', (file) => {
    const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
    const grounds = file.endsWith('.html')
      ? [light.page]
      : file.endsWith('.js')
        ? [dark.page]
        : [light.page, dark.page]
    for (const ground of grounds) expect(text).toContain(ground)
  })
})
