import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openFolderFiles } from '../engines/files/folder.ts'
import { openDb } from '../engines/db/postgres.ts'
import { cloneDatabase } from '../test/pg.ts'

/** A folder for files and a database, for a server that takes bodies. */
export async function aStore() {
  const root = await mkdtemp(join(tmpdir(), 'vigil-store-'))
  const files = await openFolderFiles(root)
  const database = await cloneDatabase()
  const { db, close } = openDb(database.url, { log: pino({ level: 'silent' }) })
  return {
    root,
    files,
    db,
    async close() {
      await files.close()
      await close()
      await database.drop()
      await rm(root, { recursive: true, force: true })
    },
  }
}
