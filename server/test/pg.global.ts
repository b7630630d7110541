import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../engines/db/embedded.ts'
import { migrateDatabase } from '../engines/db/migrate.ts'
import { openJobs } from '../engines/jobs/boss.ts'
import { buildServer } from '../../scripts/bootstrap.mjs'
import { setup as watchLeftovers } from '../../scripts/leftovers.global.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that tests clone. */
    postgresUrl: string
    /** A data folder whose database is migrated and stopped (`prepareFolder`). */
    preparedFolder: string
  }
}

const OLDEST_NODE = 24

const QUICK = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
}

interface Running {
  readonly url: string
  readonly prepared: string
  stop(): Promise<void>
}

/** Of this run, for all its projects. */
let users = 0
let running: Promise<Running> | null = null

/** One PostgreSQL for a whole test run, without fsync, in a folder that goes away with it; and one like it that is stopped. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    console.error(
      `These tests run with Node ${OLDEST_NODE}, as ./vigil test does: put node_modules/.bin first in PATH.`,
    )
    process.exit(1)
  }
  watchLeftovers()
  users++
  running ??= start()
  const { url, prepared, stop } = await running
  project.provide('postgresUrl', url)
  project.provide('preparedFolder', prepared)
  return async () => {
    if (--users === 0) await stop()
  }
}

async function start(): Promise<Running> {
  buildServer()
  const log = { info: () => {}, warn: console.warn, error: console.error }
  const above = mkdtempSync(join(tmpdir(), 'vigil-test-'))
  const [dataFolder, prepared] = [join(above, 'data'), join(above, 'prepared')]
  const first = await openEmbedded({ dataFolder: prepared, log, settings: QUICK })
  await migrateDatabase(first.url, { log })
  // with the tables of jobs, which each server would make at its first start
  const jobs = await openJobs({ connectionString: first.url, log, runs: false })
  await jobs.start()
  await jobs.stop()
  await first.stop()
  cpSync(join(prepared, 'pg'), join(dataFolder, 'pg'), { recursive: true })
  const cluster = await openEmbedded({ dataFolder, log, settings: QUICK })
  return {
    url: cluster.url,
    prepared,
    async stop() {
      await cluster.stop()
      rmSync(above, { recursive: true, force: true })
    },
  }
}
