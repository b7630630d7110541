import { expect, test } from 'vitest'
import { keyMay, rolesThatMay } from './roles.rules.ts'

test('each role may do what the one before it may, and more; an account’s own nothing that its household’s owners may not', () => {
  expect(rolesThatMay('see')).toEqual(['viewer', 'operator', 'owner', 'self'])
  expect(rolesThatMay('control')).toEqual(['operator', 'owner', 'self'])
  expect(rolesThatMay('edit')).toEqual(['owner', 'self'])
})

test('a key reaches as far as its scope says', () => {
  const of = (scope: 'read' | 'operate' | 'manage') =>
    (['see', 'control', 'edit'] as const).filter((action) =>
      keyMay({ scope, printerIds: null, tokenId: 0 as never }, action),
    )
  expect([of('read'), of('operate'), of('manage')]).toEqual([
    ['see'],
    ['see', 'control'],
    ['see', 'control', 'edit'],
  ])
})
