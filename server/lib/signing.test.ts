import { expect, test } from 'vitest'
import { isSame, signMedia, verifyMedia } from './signing.ts'

const SECRET = 'a secret of more than thirty-two characters'
const path = 'tsd-pics/1/a.jpg'
const digest = signMedia(SECRET, path, 1_000)
const good = { path, expiresAt: 1_000, digest, now: 999_999 }

test('a signature is good for its path and its time', () => {
  expect(digest).toMatch(/^[\w-]{43}$/)
  expect(verifyMedia(SECRET, good)).toBe(true)
})

test.each([
  ['another secret', `${SECRET}!`, good],
  ['another path', SECRET, { ...good, path: 'tsd-pics/2/a.jpg' }],
  ['another end', SECRET, { ...good, expiresAt: 1_001 }],
  ['its time over', SECRET, { ...good, now: 1_000_000 }],
  ['no number', SECRET, { ...good, expiresAt: Number.NaN }],
  ['no digest', SECRET, { ...good, digest: '' }],
  ['a longer digest', SECRET, { ...good, digest: `${digest}A` }],
  ['a digest of other characters', SECRET, { ...good, digest: 'ä'.repeat(43) }],
])('with %s it is not', (_, secret, claim) => {
  expect(verifyMedia(secret, claim)).toBe(false)
})

test.each([
  ['the right word', true],
  ['the right wore', false],
  ['the right words', false],
  ['', false],
  // As long as the right one, in characters or in bytes.
  ['ä'.repeat(14), false],
  ['ä'.repeat(7), false],
])('%j is the right word: %s', (given, is) => {
  expect(isSame(given, 'the right word')).toBe(is)
})
