import type { Config } from '../../config.ts'
import { readJournal } from '../../supervisor/update-journal.ts'
import { doubtful, type Finding, fine } from './finding.ts'

/** Whether an update was stopped half-way. */
export function checkUpdate(config: Config): Promise<Finding> {
  const journal = readJournal(config)
  return Promise.resolve(
    journal === null
      ? fine(`Version ${config.version}; no update is under way.`)
      : doubtful(
          `An update from ${journal.from} to ${journal.to} was begun at ${new Date(journal.at).toISOString()} and has not ended.`,
          'If none runs now: ./vigil update ends it, ./vigil update --back goes back.',
        ),
  )
}
