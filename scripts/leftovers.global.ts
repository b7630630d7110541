import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MARK = 'VIGIL_TEST_RUN'
const IN_MEMORY = '/dev/shm'
/** More than a run ever has at once. */
const ROOM = 8 * 2 ** 30

/**
 * Where temporary files of tests lie: in memory, where there is room, unless `TMPDIR` says otherwise. A database there is copied for a
 * twentieth of what it costs on a disk.
 */
function above(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir()
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return Math.min(bavail * bsize, freemem()) >= ROOM ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Gives the run a folder for all its temporary files, and a process that lives until the run has ended, however it ends: it puts an end
 * to databases, servers and browsers that are left, and removes that folder.
 */
export function setup(): void {
  if (process.env[MARK] !== undefined) return
  const folder = mkdtempSync(join(above(), 'vigil-run-'))
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
