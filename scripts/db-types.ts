/** Writes server/engines/db/types.gen.ts from a migrated throw-away database. Run: node scripts/db-types.ts */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../server/engines/db/embedded.ts'
import { migrateDatabase } from '../server/engines/db/migrate.ts'

const quiet = { info: () => {}, warn: console.warn, error: console.error }
const out = join(import.meta.dirname, '../server/engines/db/types.gen.ts')
const folder = mkdtempSync(join(tmpdir(), 'vigil-types-'))
const database = await openEmbedded({ dataFolder: folder, log: quiet })
try {
  await migrateDatabase(database.url, { log: quiet })
  const codegen = join(createRequire(import.meta.url).resolve('kysely-codegen'), '../cli/bin.js')
  execFileSync(process.execPath, [
    codegen,
    '--camel-case',
    '--dialect=postgres',
    `--url=${database.url}`,
    '--exclude-pattern=kysely_migration*',
    '--type-mapping={"int8":"number"}',
    `--out-file=${out}`,
  ])
} finally {
  await database.stop()
  rmSync(folder, { recursive: true })
}
