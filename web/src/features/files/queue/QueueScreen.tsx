import { Button, Skeleton } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Queue, QueuePrinter } from '@vigil/contract/files/queue.ts'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { BedQuestion } from './BedQuestion.tsx'
import { DoneList } from './DoneList.tsx'
import { EntryList } from './EntryList.tsx'
import { queueQuery, useQueueChange, type Change, queueCalls } from './queue.api.ts'
import styles from './Queue.module.css'
import { QueueSwitch } from './QueuePanel.tsx'
import { usePrinterState } from './useWords.ts'

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

/** Which printers take part, and how each stands. */
function PrintersPanel({ printers, change }: { printers: QueuePrinter[]; change: Change }) {
  const { t } = useTranslation('queue')
  if (printers.length === 0) return null
  return (
    <Panel title={t('printers.title')}>
      <ul className={styles.printers}>
        {printers.map((printer) => (
          <PrinterLine key={printer.id} printer={printer} change={change} />
        ))}
      </ul>
    </Panel>
  )
}

function PrinterLine({ printer, change }: { printer: QueuePrinter; change: Change }) {
  const { t } = useTranslation('queue')
  const state = usePrinterState()
  return (
    <li className={styles.printer}>
      <div className={styles.printerName}>
        <Link to={paths.control(printer.id)}>{printer.name}</Link>
        <span>{state(printer)}</span>
        {printer.waiting > 0 && <span>{t('printers.waiting', { count: printer.waiting })}</span>}
        {printer.bed_clear && (
          <Button size="xs" onClick={() => change.mutate(() => queueCalls.unclear(printer.id))}>
            {t('bed.notClear')}
          </Button>
        )}
      </div>
      <QueueSwitch printer={printer} change={change} />
    </li>
  )
}
