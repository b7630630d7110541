import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import shipped from '../../../server/brands/brands.json'
import { accented, dark, light, type Tokens } from './tokens.ts'

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

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
