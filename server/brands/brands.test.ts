import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { accountBrand, type Brand, type Brands, readBrands, shownBrand } from './brands.ts'
import { readConfig } from '../config.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-brands-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(...brands: object[]): Brands {
  writeFileSync(join(folder, 'brands.json'), JSON.stringify(brands))
  return readBrands(folder)
}
const one = { id: 1, name: 'first', display_name: 'First' }
const two = {
  id: 2,
  name: 'second',
  display_name: 'Second',
  hosts: ['farm.example.org', 'x.example.com:8443'],
}
const three = { id: 3, name: 'third', display_name: 'Third', user_agent: 'Slicer', header_sign_in: true }
const all = read(one, two, three)
const shown = (asked: Partial<Parameters<typeof shownBrand>[1]>) =>
  shownBrand(all, { host: 'nowhere.example.net', ...asked }).name
const account = (asked: Partial<Parameters<typeof accountBrand>[1]>) =>
  accountBrand(all, { host: 'nowhere.example.net', ...asked }).name

describe('the brand that is shown (docs/wire/rest.md 8)', () => {
  it.each([
    ['of a host: the exact one', { host: 'farm.example.org' }, 'second'],
    ['of a host: whatever its port and letters', { host: 'FARM.example.org:3334' }, 'second'],
    ['of a host: one port alone', { host: 'x.example.com:8443' }, 'second'],
    ['of a host: not another port', { host: 'x.example.com:80' }, 'first'],
    ['of a host: its last three labels', { host: 'a.b.farm.example.org' }, 'second'],
    ['of a host: not its last two', { host: 'example.org' }, 'first'],
    ['of an address', { host: '[::1]:3334' }, 'first'],
    ['before the host, the one that is named', { host: 'farm.example.org', named: 'third' }, 'third'],
    ['of an unknown name, as if none was named', { host: 'farm.example.org', named: 'no"such' }, 'second'],
    ['before the named one, that of the user', { named: 'third', user: 'second' }, 'second'],
    ['of a user whose brand is gone, as without one', { named: 'third', user: 'gone' }, 'third'],
    ['before all, that of a program', { userAgent: 'Slicer/2 (x)', user: 'second' }, 'third'],
    ['of a program that only mentions it, as without', { userAgent: 'Mozilla Slicer/2' }, 'first'],
  ])('%s', (_, asked, name) => expect(shown(asked)).toBe(name))
})

describe('the brand whose accounts a password is for', () => {
  it("is the site's, whatever an app names", () => {
    expect(account({ host: 'farm.example.org', named: 'first' })).toBe('second')
    expect(account({ named: 'second' })).toBe('first')
  })
  it('is the named one where that brand allows it', () => {
    expect(account({ host: 'farm.example.org', named: 'third' })).toBe('third')
    expect(account({ userAgent: 'Slicer/2' })).toBe('third')
  })
})

describe('brands.json', () => {
  it.each([
    ['no brand', []],
    ['the same name twice', [one, { ...one, id: 2 }]],
    ['the same number twice', [one, { ...two, id: 1 }]],
    ['a name that is no word', [{ ...one, name: '../x' }]],
    ['an address that is not https', [{ ...one, docs: 'javascript:alert(1)' }]],
    [
      'a colour that is none',
      [{ ...one, colors: { light: { accent: 'red;}' }, dark: { accent: '#000000' } } }],
    ],
    ['a word nobody knows', [{ ...one, colour: 'red' }]],
  ])('is refused with %s', (_, brands) => expect(() => read(...brands)).toThrow())

  it('that cannot be used stops the start with a sentence', () => {
    expect(() => readConfig({ BRANDS_FOLDER: '/nowhere' })).toThrow(
      /^BRANDS_FOLDER="\/nowhere" cannot be used: ENOENT/,
    )
  })
})

describe('the brands that ship', () => {
  const shipped = readBrands()
  it('are three, the first in any theme', () => {
    expect(shipped.map(({ name, theme }) => [name, theme])).toEqual([
      ['base', null],
      ['jusprin', 'light'],
      ['yumi', 'dark'],
    ])
  })
  it.each(shipped.map((brand): [string, Brand] => [brand.name, brand]))(
    '%s has its pictures',
    (_, { folder: at }) => {
      expect(readFileSync(join(at, 'mark.svg'), 'utf8')).toMatch(
        /^<svg xmlns[^>]* viewBox="0 0 32 32" fill="#/,
      )
      for (const [file, size] of [
        ['icon-192.png', 192],
        ['icon-512.png', 512],
        ['maskable-512.png', 512],
      ] as const) {
        const png = readFileSync(join(at, file))
        expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
          'PNG',
          size,
          size,
        ])
        expect(png.length).toBeLessThan(20_000)
      }
    },
  )
})
