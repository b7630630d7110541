import { Button } from '@mantine/core'
import type { QueueEntry } from '@vigil/contract/files/queue.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Queue.module.css'
import { type Change, queueCalls } from './queue.api.ts'
import { useRun } from './useWords.ts'

/** What the queue has printed lately. */
export function DoneList({ entries, change }: { entries: QueueEntry[]; change: Change }) {
  const { t } = useTranslation('queue')
  const run = useRun()
  const { moment } = useTimeText()
  if (entries.length === 0) return null
  return (
    <section aria-labelledby="done">
      <h2 id="done" className={styles.heading}>
        {t('done.title')}
      </h2>
      <ul className={styles.list}>
        {entries.map((entry) => {
          const last = entry.runs.at(-1)
          const at = ms(entry.ended_at)
          return (
            <li key={entry.id} className={styles.doneRow}>
              <div className={styles.name}>
                {last?.print_id ? (
                  <Link to={paths.print(last.print_id)}>{entry.file.filename}</Link>
                ) : (
                  <bdi>{entry.file.filename}</bdi>
                )}
                {last && (
                  <span className={styles.outcome}>
                    <StatusMark
                      shape={last.state === 'finished' ? 'dot' : 'cross'}
                      tone={last.state === 'finished' ? 'good' : 'quiet'}
                      size={11}
                    />
                    {run(last)}
                  </span>
                )}
              </div>
              <span className={styles.starts}>{at !== null && moment(at)}</span>
              {!entry.file.deleted && (
                <Button
                  size="xs"
                  disabled={change.isPending}
                  onClick={() =>
                    change.mutate(() =>
                      queueCalls.add({
                        g_code_file_id: entry.file.id,
                        printer_id: entry.printer?.id ?? null,
                        copies: entry.copies,
                      }),
                    )
                  }
                >
                  {t('act.again')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
