import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../engines/db/embedded.ts'
import { migrateDatabase } from '../engines/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that tests clone. */
    postgresUrl: string
    /** A data folder whose database is migrated and stopped (`prepareFolder`). */
    preparedFolder: string
  }
}

const QUICK = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
}

/** One PostgreSQL for a whole test run, without fsync, in a folder that goes away with it; and one like it that is stopped. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = { info: () => {}, warn: console.warn, error: console.error }
  const above = mkdtempSync(join(tmpdir(), 'vigil-test-'))
  const [dataFolder, prepared] = [join(above, 'data'), join(above, 'prepared')]
  const first = await openEmbedded({ dataFolder: prepared, log, settings: QUICK })
  await migrateDatabase(first.url, { log })
  await first.stop()
  cpSync(join(prepared, 'pg'), join(dataFolder, 'pg'), { recursive: true })
  const cluster = await openEmbedded({ dataFolder, log, settings: QUICK })
  project.provide('postgresUrl', cluster.url)
  project.provide('preparedFolder', prepared)
  return async () => {
    await cluster.stop()
    rmSync(above, { recursive: true, force: true })
  }
}
