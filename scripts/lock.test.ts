import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missingFrom } from './complete-lock.ts'

test('npm ci accepts the lockfile everywhere: node scripts/complete-lock.ts after each npm install', () => {
  const file = join(import.meta.dirname, '../package-lock.json')
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Parameters<typeof missingFrom>[0]
  }
  expect(missingFrom(packages).map(({ name }) => name)).toEqual([])
})
