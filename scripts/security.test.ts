import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, 'docs/security.md'), 'utf8')
const lines = readFileSync(join(root, 'docs/asvs.md'), 'utf8')
const rows = document.split('\n').filter((line) => /^\| \d+ \|/.test(line))

test('what docs/security.md names is there', () => {
  const named = [...(document + lines).matchAll(/`((?:server|web|e2e|scripts)\/[\w./-]{1,200}\.ts)`/g)].map(
    ([, name]) => name ?? '',
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
})

test('every defect that may not come back is held by tests that exist', () => {
  expect(rows).toHaveLength(21)
  const missing = rows.flatMap((row) => {
    const held = [...(row.split('|')[3] ?? '').matchAll(/`([^`]{1,200}\.test\.ts)`: ((?:[^;`]|; (?!`))+)/g)]
    const gone = held.flatMap(([, name = '', titles = '']) => {
      const code = readFileSync(join(root, name), 'utf8')
      return code.includes(titles.trim())
        ? []
        : titles
            .split('; ')
            .map((one) => one.trim())
            .filter((one) => !code.includes(one))
    })
    return held.length === 0 ? [`no test: ${row}`] : gone
  })
  expect(missing).toEqual([])
})

test('every line of ASVS 5.0 up to level 2 has an answer, and whoever says that it is met a test', () => {
  const answers = [...lines.matchAll(/^\| (\d+\.\d+\.\d+) \| (yes|set|no|–) \| (.{3,400}) \| (.*) \|$/gm)]
  expect(new Set(answers.map(([, number]) => number)).size).toBe(253)
  expect(answers).toHaveLength(253)
  expect(
    answers
      .filter(([, , met, , shown]) => (met === 'yes' || met === 'set') && shown === '')
      .map(([, number]) => number),
  ).toEqual([])
})
