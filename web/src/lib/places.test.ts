import { describe, expect, it } from 'vitest'
import { badgeText, placesFor, supportOf } from './places.ts'

const brand = { docRoot: 'https://help.example.org/', community: 'https://chat.example.org/' }
const everything = { user: null, isEnterprise: true, brand, has: () => true }
const user = { unseen_printer_events: 3 }
const words = (known: Parameters<typeof placesFor>[0]) => {
  const { places, foot } = placesFor(known)
  return [places.map(({ text }) => text.slice(4)).join(' '), foot.map(({ text }) => text.slice(4)).join(' ')]
}

describe('places (docs/rules/remote.md 3)', () => {
  it('are by edition and sign-in', () => {
    expect(words({ ...everything, user })).toEqual([
      'printers history gcodes queue models stats notifications preferences',
      'pricing help community',
    ])
    expect(words({ ...everything, user, isEnterprise: false })).toEqual([
      'printers history gcodes queue models stats notifications preferences',
      'help community',
    ])
    expect(words({ ...everything, user, isAdmin: true })[1]).toBe('admin pricing help community')
    expect(words(everything)).toEqual(['', 'gallery pricing help community'])
    expect(words({ ...everything, isEnterprise: false })).toEqual(['', 'help community'])
  })

  it('lead to pages that exist, and to https alone', () => {
    expect(words({ ...everything, user, has: (path) => path === '/printers/' })[0]).toBe('printers')
    const odd = { docRoot: 'javascript:alert(1)', community: 'http://x.example.org/' }
    expect(words({ ...everything, brand: odd })).toEqual(['', 'gallery pricing'])
    expect(words({ ...everything, brand: { docRoot: '', community: '' } })[1]).toBe('gallery pricing')
    const own = { docRoot: '/help/', community: '' }
    expect(words({ ...everything, brand: own })[1]).toBe('gallery pricing help')
    expect(words({ ...everything, brand: own, has: (path) => path !== '/help/' })[1]).toBe('gallery pricing')
    expect(words({ ...everything, brand: { ...own, docRoot: '//evil.example.org/' } })[1]).toBe(
      'gallery pricing',
    )
  })

  it('of support are the community, else what the help says of it', () => {
    const to = (known: Parameters<typeof supportOf>[0]) => {
      const place = supportOf(known)
      return place && [place.to, place.hash]
    }
    expect(to(brand)).toEqual(['https://chat.example.org/', undefined])
    expect(to({ ...brand, community: '' })).toEqual(['https://help.example.org/', undefined])
    expect(to({ docRoot: '/help/', community: '' })).toEqual(['/help/', 'support'])
    expect(to({ docRoot: 'javascript:alert(1)', community: '' })).toBeNull()
  })

  it('tell how much was not seen yet, up to 99+', () => {
    const { places } = placesFor({ ...everything, user })
    expect(places.map(({ unseen }) => unseen).filter((unseen) => unseen !== undefined)).toEqual([3])
    expect([1, 99, 100, 4000].map(badgeText)).toEqual(['1', '99', '99+', '99+'])
  })
})
