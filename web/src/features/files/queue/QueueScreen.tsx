import { Button, Skeleton } from '@mantine/core'
import type { Queue } from '@vigil/contract/files/queue.ts'
import { useQuery } from '@tanstack/react-query'
import { IconListCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { BedQuestion } from './BedQuestion.tsx'
import { DoneList } from './DoneList.tsx'
import { EntryList } from './EntryList.tsx'
import { PrintersPanel } from './PrintersPanel.tsx'
import styles from './Queue.module.css'
import { queueQuery, useQueueChange } from './queue.api.ts'

/** What is printed next on the owner's printers, and the beds that have to be cleared for it. */
export default function QueueScreen() {
  const { t } = useTranslation('queue')
  useTitle(t('title'))
  const { data, error, refetch } = useQuery(queueQuery)
  return (
    <>
      <PageHeader
        title={t('title')}
        note={data && data.entries.length > 0 && t('waiting', { count: data.entries.length })}
      />
      {!data && error && (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton height={280} radius={12} aria-busy="true" />}
      {data && <Whole queue={data} />}
    </>
  )
}

function Whole({ queue }: { queue: Queue }) {
  const { t } = useTranslation('queue')
  const change = useQueueChange()
  const asking = queue.printers.filter(({ obstacle, next }) => obstacle === 'not_cleared' && next !== null)
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        {asking.map((printer) => (
          <BedQuestion
            key={printer.id}
            printer={printer}
            next={queue.entries.find(({ id }) => id === printer.next)}
            change={change}
          />
        ))}
        {queue.entries.length === 0 ? (
          <Notice
            title={t('empty')}
            picture={<IconListCheck size={48} stroke={1.25} />}
            actions={
              <Button renderRoot={(props) => <Link {...props} to={paths.folders} />}>{t('toFiles')}</Button>
            }
          >
            {t('emptyText')}
          </Notice>
        ) : (
          <EntryList queue={queue} change={change} />
        )}
        <DoneList entries={queue.done} change={change} />
      </div>
      <div className={styles.side}>
        <PrintersPanel printers={queue.printers} change={change} />
      </div>
    </div>
  )
}
