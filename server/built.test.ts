import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { builtFolder } from './built.mjs'
import { aFolder, type Running, removeFolder, up } from './test/faults/support.ts'

const root = mkdtempSync(join(tmpdir(), 'vigil-sources-'))
const folder = aFolder()
let server: Running | undefined

afterAll(async () => {
  await server?.stop()
  removeFolder(folder)
  rmSync(root, { recursive: true })
})

const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

it('other sources are another build; tests, packages and builds are no sources', () => {
  write('server/a/b.ts', '1')
  write('contract/c.ts', '2')
  const first = builtFolder(root)
  write('server/a/b.test.ts', '3')
  write('server/test/d.ts', '4')
  write('server/node_modules/e.js', '5')
  write('server/dist/f.js', '6')
  write('web/g.ts', '7')
  expect(builtFolder(root)).toBe(first)
  write('server/a/b.ts', '12')
  const second = builtFolder(root)
  expect(second).not.toBe(first)
  write('server/a/b.ts', '1')
  write('contract/c.ts', '22')
  expect([first, second]).not.toContain(builtFolder(root))
  write('contract/c.ts', '2')
  expect(builtFolder(root)).toBe(first)
  write('package.json', '{"version":"9.9.9"}')
  expect(builtFolder(root)).not.toBe(first)
})

it('a server runs what was built of its very sources', async () => {
  server = await up(folder)
  const command = readFileSync(`/proc/${server.childPid()}/cmdline`, 'utf8')
  expect(command).toContain(join(builtFolder(join(import.meta.dirname, '..')), 'child.js'))
})
