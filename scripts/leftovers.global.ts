import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MARK = 'VIGIL_TEST_RUN'

/**
 * Gives the run a folder for all its temporary files, and a process that lives until the run has ended, however it ends: it puts an end
 * to databases, servers and browsers that are left, and removes that folder.
 */
export function setup(): void {
  if (process.env[MARK] !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'vigil-run-'))
  process.env[MARK] = folder
  process.env['TMPDIR'] = folder
  const { [MARK]: _, ...env } = process.env
  const watcher = spawn(
    process.execPath,
    [join(import.meta.dirname, 'leftovers.mjs'), `${MARK}=${folder}`, folder],
    { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  )
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
}
