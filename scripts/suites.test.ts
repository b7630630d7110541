import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOfAll, testsOfAll } from './suites.ts'

const root = join(import.meta.dirname, '..')

/** How the names of a file's tests begin, up to what is filled in. */
const beginnings = (text: string) =>
  [...text.matchAll(/\b(?:test|it)(?:\.each\(.*\))?\(\s*['`]([^'`\n]+)['`]/g)].map(
    ([, title = '']) => title.split(/%s|\$\{[\w.]+\}/)[0] ?? '',
  )

test('what only --all runs is there, and its file has other tests', () => {
  for (const file of filesOfAll) expect(existsSync(join(root, file)), file).toBe(true)
  for (const { file, name } of testsOfAll) {
    const text = readFileSync(join(root, file), 'utf8')
    const isNamed = beginnings(text).some((one) => one.startsWith(name) || name.startsWith(one))
    expect(isNamed, `${file} > ${name}`).toBe(true)
    expect([...text.matchAll(/^ *(?:test|it)\b/gm)].length, file).toBeGreaterThan(1)
  }
})
