import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const readme = read('README.md')

test('the README lists every setting, and no other', () => {
  const known = [
    ...['server/config.ts', 'server/lib/storage-settings.ts', 'server/lib/account-settings.ts']
      .map(read)
      .join('')
      .matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm),
  ].map(([, name]) => name!)
  const [, settings = ''] = readme.split('## Settings')
  const listed = [...settings.matchAll(/^\| (`.*?`) \|/gm)].flatMap(
    ([, cell]) => cell!.match(/[A-Z][A-Z0-9_]+/g) ?? [],
  )
  expect(known.length).toBeGreaterThan(20)
  expect(listed.toSorted()).toEqual(known.toSorted())
})

test('the README begins with the two commands and lists all others', () => {
  expect(readme.slice(0, 600)).toMatch(/\.\/vigil up .*\n\.\/vigil test/)
  const commands = [...read('server/cli/commands.ts').matchAll(/^ {2}(\w+): async \(\)/gm)].map(
    ([, name]) => name!,
  )
  for (const name of commands) expect(readme).toContain(`\`./vigil ${name}`)
})

test('what the documents link to exists', () => {
  for (const name of [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((one) => one.endsWith('.md'))
      .map((one) => `docs/${one}`),
  ]) {
    for (const [, target] of read(name).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      expect(() => readFileSync(join(root, name, '..', target!)), `${name} -> ${target}`).not.toThrow()
    }
    for (const [, target = '', anchor = ''] of read(name).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const there = target === '' ? name : join(name, '..', target)
      expect(anchorsOf(there), `${name} -> ${target}#${anchor}`).toContain(anchor)
    }
  }
})

/** How headings are called in addresses. */
function anchorsOf(name: string): string[] {
  return [...read(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('troubleshooting has each line of doctor, and names no other', () => {
  const lines = [...read('server/cli/doctor.ts').matchAll(/^ {2}\['(\w+)', check/gm)].map(
    ([, name = '']) => name,
  )
  const named = [...read('docs/troubleshooting.md').matchAll(/^\|[^|]*\|([^|]*)\|/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  expect(lines.length).toBeGreaterThan(15)
  expect([...new Set(named)].toSorted()).toEqual(lines.toSorted())
})
