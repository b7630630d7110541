import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { keepCopy, putCopyBack } from '../engines/db/before-update.ts'
import { textOf } from '../lib/thrown.ts'

const journalShape = z.object({
  /**
   * `switching`: the program is being exchanged, and the keeper copies the database before the next server begins; `switched`: that is done, and the new
   * version is watched; `back`: the program is the old one again, and the keeper puts the copy back before the next server begins.
   */
  phase: z.enum(['switching', 'switched', 'back']),
  from: z.string(),
  to: z.string(),
  at: z.number(),
  /** Why the database could not be copied, or put back. */
  why: z.string().optional(),
  program: z.object({
    root: z.string(),
    next: z.string(),
    before: z.string(),
    entries: z.array(z.string()),
    /** Of a checkout: what it stood at, and what it goes to. */
    commit: z.string().optional(),
    target: z.string().optional(),
  }),
})

/** An update that is under way: written before anything is exchanged, gone when all is as it shall stay. */
export type UpdateJournal = z.infer<typeof journalShape>
type Folder = Pick<Config, 'dataFolder'>

const fileOf = ({ dataFolder }: Folder): string => join(dataFolder, 'run', 'update.json')

/** Null when no update is under way. */
export function readJournal(config: Folder): UpdateJournal | null {
  try {
    return journalShape.parse(JSON.parse(readFileSync(fileOf(config), 'utf8')))
  } catch {
    return null
  }
}

/** Whole or as it was. */
export function writeJournal(config: Folder, journal: UpdateJournal): void {
  const file = fileOf(config)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(journal), { mode: 0o600, flush: true })
  renameSync(`${file}.${process.pid}`, file)
}

export const removeJournal = (config: Folder): void => rmSync(fileOf(config), { force: true })

/**
 * Between two servers, when nobody uses the database: copies it before a new version begins, and puts the copy back before the
 * old one does. False when that cannot be done: no server may begin then.
 */
export async function settleUpdate(
  config: Folder,
  databaseUrl: string,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<boolean> {
  const journal = readJournal(config)
  if (journal === null || journal.phase === 'switched') return true
  const { why: _, ...plain } = journal
  try {
    if (journal.phase === 'switching') {
      await keepCopy(databaseUrl)
      // Who went back meanwhile has put the old program there: what waits to begin is the new one.
      if (readJournal(config)?.phase !== 'switching') return false
      writeJournal(config, { ...plain, phase: 'switched' })
      log.info({ from: journal.from, to: journal.to }, 'the database is copied: the new version begins')
    } else {
      await putCopyBack(databaseUrl)
      removeJournal(config)
      log.info({ from: journal.from, to: journal.to }, 'the database is as it was before the update')
    }
    return true
  } catch (error) {
    log.error({ err: error }, 'an update cannot go on: the database cannot be copied or put back')
    noteWhy(config, journal.phase, error)
    return false
  }
}

/** For who waits. The keeper lives on where the disk takes no word, and tries again. */
function noteWhy(config: Folder, phase: UpdateJournal['phase'], error: unknown): void {
  const journal = readJournal(config)
  if (journal?.phase !== phase) return
  try {
    writeJournal(config, { ...journal, why: textOf(error) })
  } catch {
    // Its log says it.
  }
}
