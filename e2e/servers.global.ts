import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { eventually } from '../server/test/eventually.ts'
import { readPidFile } from '../server/supervisor/pid-file.ts'
import { setup as watchLeftovers } from '../scripts/leftovers.global.ts'
import { requireSilence } from './secrets.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the servers of journeys have their data folders. */
    serversFolder: string
  }
}

const GRACE_MS = 30_000

/**
 * A folder for the servers of a run. Those that outlive the files of their workers end with the run; then their logs are looked through for
 * what journeys kept secret.
 */
export function setup(project: TestProject): () => Promise<void> {
  watchLeftovers()
  const folder = mkdtempSync(join(tmpdir(), 'vigil-e2e-'))
  project.provide('serversFolder', folder)
  return async () => {
    await Promise.all(readdirSync(folder).map((name) => end(join(folder, name, 'run/keeper.pid'))))
    try {
      console.log(`None of ${requireSilence(folder)} secrets of the journeys stands in a log.`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function end(pidFile: string): Promise<void> {
  const pid = readPidFile(pidFile)
  if (pid === null) return
  process.kill(pid, 'SIGTERM')
  await eventually(() => readPidFile(pidFile) !== pid || undefined, GRACE_MS).catch(() =>
    process.kill(pid, 'SIGKILL'),
  )
}
