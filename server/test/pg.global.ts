import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../engines/db/embedded.ts'
import { migrateDatabase } from '../engines/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that tests clone. */
    postgresUrl: string
  }
}

/** One PostgreSQL for a whole test run, without fsync, in a folder that goes away with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = { info: () => {}, warn: console.warn, error: console.error }
  const dataFolder = mkdtempSync(join(tmpdir(), 'vigil-test-'))
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '200',
  }
  const cluster = await openEmbedded({ dataFolder, log, settings })
  await migrateDatabase(cluster.url, { log })
  project.provide('postgresUrl', cluster.url)
  return async () => {
    await cluster.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}
