/** What lies in `deploy/` is what the programs that read it take. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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
