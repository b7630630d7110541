import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../server/engines/db')

test('every migration is run', () => {
  const list = readFileSync(join(folder, 'migrate.ts'), 'utf8')
  const names = readdirSync(join(folder, 'migrations')).map((file) => file.replace('.ts', ''))
  expect(names.filter((name) => !list.includes(`'${name}': `))).toEqual([])
})
