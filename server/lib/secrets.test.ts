import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSecret } from './secrets.ts'

let above: string
let dataFolder: string
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'vigil-secrets-'))
  dataFolder = join(above, 'data')
})
afterEach(() => rmSync(above, { recursive: true }))

test('the key is made once, long, for its owner alone', () => {
  const key = readSecret({ dataFolder })
  expect(key.length).toBeGreaterThanOrEqual(32)
  expect(readSecret({ dataFolder })).toBe(key)
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataFolder, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('two installations have different keys', () => {
  expect(readSecret({ dataFolder })).not.toBe(readSecret({ dataFolder: join(above, 'other') }))
})

test('the key of the environment is used and not written down', () => {
  expect(readSecret({ dataFolder, fromEnvironment: 'x'.repeat(32) })).toBe('x'.repeat(32))
  expect(existsSync(dataFolder)).toBe(false)
})

test('a damaged file is an error, never a new key', () => {
  readSecret({ dataFolder })
  writeFileSync(join(dataFolder, 'secrets.json'), '{"VIGIL_SECRET": "short"}')
  expect(() => readSecret({ dataFolder })).toThrow(/no VIGIL_SECRET of 32 characters/)
})
