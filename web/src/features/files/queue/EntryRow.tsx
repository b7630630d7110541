import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon } from '@mantine/core'
import type { QueueEntry } from '@vigil/contract/files/queue.ts'
import { IconDots, IconFile, IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useNow } from '../../../lib/clock.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { EntryDialog } from './EntryDialog.tsx'
import styles from './Queue.module.css'
import type { Change } from './queue.api.ts'
import { useReason, useRun } from './useWords.ts'

const EntryMenu = lazyMenu(async () => (await import('./EntryMenu.tsx')).EntryMenu)

interface EntryRowProps {
  entry: QueueEntry
  isFirst: boolean
  isLast: boolean
  change: Change
  /** Moves it by so many places, or to the front. */
  onPlace: (by: number | 'front') => void
}

/** Something that waits or prints, in one line. */
export function EntryRow({ entry, isFirst, isLast, change, onPlace }: EntryRowProps) {
  const { t } = useTranslation('queue')
  const [isEditing, setEditing] = useState(false)
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id: entry.id })
  const { file } = entry
  return (
    <li
      ref={setNodeRef}
      className={styles.row}
      data-held={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        className={styles.grip}
        aria-label={t('row.grip', { file: file.filename })}
      >
        <IconGripVertical size={18} stroke={1.75} aria-hidden />
      </button>
      <Thumb url={file.thumbnail_url} />
      <div className={styles.name}>
        {file.deleted ? <bdi>{file.filename}</bdi> : <Link to={paths.file(file.id)}>{file.filename}</Link>}
        <About entry={entry} />
      </div>
      <States entry={entry} />
      <Starts entry={entry} />
      <EntryMenu
        entry={entry}
        isFirst={isFirst}
        isLast={isLast}
        change={change}
        onPlace={onPlace}
        onEdit={() => setEditing(true)}
        button={
          <ActionIcon variant="subtle" color="gray" aria-label={t('row.more', { file: file.filename })}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        }
      />
      {isEditing && <EntryDialog entry={entry} file={file} onClose={() => setEditing(false)} />}
    </li>
  )
}

function About({ entry }: { entry: QueueEntry }) {
  const { t } = useTranslation('queue')
  const { duration } = useTimeText()
  const { file, printer, copies, left } = entry
  const facts = [
    printer?.name ?? t('row.any'),
    ...(copies > 1 ? [t('row.copies', { left, copies })] : []),
    ...(file.estimated_time === null
      ? []
      : [
          copies > 1 ? t('row.time', { time: duration(file.estimated_time) }) : duration(file.estimated_time),
        ]),
  ]
  return <span className={styles.about}>{facts.join(' · ')}</span>
}

/** What is under way of it, and why the rest waits. */
function States({ entry }: { entry: QueueEntry }) {
  const run = useRun()
  const reason = useReason()(entry)
  const open = entry.runs.filter(({ ended_at }) => ended_at === null)
  const failed = entry.runs.at(-1)?.state === 'failed' ? entry.runs.at(-1) : undefined
  const stands = entry.reason === 'on_hold' || entry.reason === 'queue_off'
  return (
    <ul className={styles.states}>
      {open.map((one) => (
        <li key={one.started_at + String(one.printer_id)}>
          <StatusMark shape="ring" tone="accent" size={11} />
          <Link to={paths.control(one.printer_id)}>{run(one)}</Link>
        </li>
      ))}
      {failed && (
        <li>
          <StatusMark shape="triangle" tone="warn" size={11} />
          {run(failed)}
        </li>
      )}
      {reason !== null && (
        <li>
          <StatusMark shape={stands ? 'bars' : 'hollow'} tone="quiet" size={11} />
          {reason}
        </li>
      )}
    </ul>
  )
}

function Starts({ entry }: { entry: QueueEntry }) {
  const { t } = useTranslation('queue')
  const { moment } = useTimeText()
  const now = useNow()
  const at = ms(entry.starts_at)
  if (at === null) return <span className={styles.starts} />
  const isNow = at <= now + 60_000
  return (
    <time className={styles.starts} dateTime={entry.starts_at ?? undefined}>
      {isNow
        ? t(entry.reason === 'busy' || entry.reason === 'behind' ? 'row.soon' : 'row.now')
        : t('row.starts', { time: moment(at) })}
    </time>
  )
}

function Thumb({ url }: { url: string | null }) {
  return (
    <span className={styles.thumb}>
      {url ? <img src={url} alt="" /> : <IconFile size={20} stroke={1.5} aria-hidden />}
    </span>
  )
}
