/** What lies in `deploy/` is what the programs that read it take. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldsOf } from '@vigil/contract/fields.ts'

const root = join(import.meta.dirname, '..')
const unit = readFileSync(join(root, 'deploy/vigil.service'), 'utf8')
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const hasSystemd = analyze('--version').status === 0

test.skipIf(!hasSystemd)('systemd takes the unit, and finds it closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-unit-'))
  const file = join(folder, 'vigil.service')
  writeFileSync(file, unit.replaceAll('/opt/vigil', root))
  const verified = analyze('verify', file)
  const { stdout } = analyze('security', '--offline=true', file)
  rmSync(folder, { recursive: true })
  expect([verified.stderr, verified.status]).toEqual(['', 0])
  // Of ten: from 0, nothing is open, to 10; a unit that says nothing has 9.6.
  expect(Number(/exposure level for vigil\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2.5)
})

test('the unit keeps what Vigil needs: its folder, its keeper’s time, memory that Node compiles into', () => {
  expect(unit).toMatch(/^StateDirectory=vigil$/m)
  expect(unit).toMatch(/^TimeoutStopSec=90$/m)
  expect(unit).toMatch(/^KillMode=mixed$/m)
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=true/m)
})

test('the version of the chart is that of Vigil, and its settings are ones that the server knows', () => {
  const chart = join(root, 'deploy/helm/vigil')
  const { version } = fieldsOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const text = readFileSync(join(chart, 'Chart.yaml'), 'utf8')
  expect(text).toContain(`\nversion: ${String(version)}\nappVersion: ${String(version)}\n`)
  const [, settings = ''] =
    /\nsettings:\n((?: {2}.*\n)+)/.exec(readFileSync(join(chart, 'values.yaml'), 'utf8')) ?? []
  const known = readFileSync(join(root, 'server/config.ts'), 'utf8')
  const names = [...settings.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) expect(known).toMatch(new RegExp(`\\b${name}:`))
})
