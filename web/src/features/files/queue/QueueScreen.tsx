import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Box, Button, Flex, Group, Skeleton, Stack } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Queue, QueuePrinter, QueueEntry } from '@vigil/contract/files/queue.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { BedQuestion } from './BedQuestion.tsx'
import { EntryRow } from './EntryRow.tsx'
import { queueQuery, useQueueChange, type Change, queueCalls } from './queue.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Queue.module.css'
import { QueueSwitch } from './QueuePanel.tsx'
import { usePrinterState, useRun } from './useWords.ts'

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
      <Stack gap={16} miw={0}>
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
      </Stack>
      <Box miw={0}>
        <PrintersPanel printers={queue.printers} change={change} />
      </Box>
    </div>
  )
}

/** Which printers take part, and how each stands. */
function PrintersPanel({ printers, change }: { printers: QueuePrinter[]; change: Change }) {
  const { t } = useTranslation('queue')
  if (printers.length === 0) return null
  return (
    <Panel title={t('printers.title')}>
      <Stack component="ul" className={shared.list} gap={14}>
        {printers.map((printer) => (
          <PrinterLine key={printer.id} printer={printer} change={change} />
        ))}
      </Stack>
    </Panel>
  )
}

function PrinterLine({ printer, change }: { printer: QueuePrinter; change: Change }) {
  const { t } = useTranslation('queue')
  const state = usePrinterState()
  return (
    <Flex component="li" align="flex-start" justify="space-between" gap={12}>
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
    </Flex>
  )
}

/** What the queue has printed lately. */
function DoneList({ entries, change }: { entries: QueueEntry[]; change: Change }) {
  const { t } = useTranslation('queue')
  if (entries.length === 0) return null
  return (
    <section aria-labelledby="done">
      <Box component="h2" id="done" m="8px 0 10px" fz={14} fw={650}>
        {t('done.title')}
      </Box>
      <ul className={shared.list}>
        {entries.map((entry) => (
          <DoneRow key={entry.id} entry={entry} change={change} />
        ))}
      </ul>
    </section>
  )
}

/** What waits, in its order: moved by pointer, finger or keyboard. */
function EntryList({ queue, change }: { queue: Queue; change: Change }) {
  const { t } = useTranslation('queue')
  const { ids, byId, shown, place } = useOrder(queue, change)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  function onDragEnd({ active, over }: DragEndEvent) {
    if (over !== null && over.id !== active.id) place(Number(active.id), ids.indexOf(Number(over.id)))
  }

  const told = (key: 'picked' | 'over' | 'dropped' | 'left', id: UniqueIdentifier, over?: UniqueIdentifier) =>
    t(`drag.${key}`, {
      file: byId.get(Number(id))?.file.filename ?? '',
      place: ids.indexOf(Number(over ?? id)) + 1,
      count: ids.length,
    })
  const announcements: Announcements = {
    onDragStart: ({ active }) => told('picked', active.id),
    onDragOver: ({ active, over }) => told('over', active.id, over?.id),
    onDragEnd: ({ active, over }) => told('dropped', active.id, over?.id),
    onDragCancel: ({ active }) => told('left', active.id),
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('drag.how') } }}
      onDragEnd={onDragEnd}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className={shared.list} aria-label={t('list')}>
          {shown.map((entry, at) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              isFirst={at === 0}
              isLast={at === shown.length - 1}
              change={change}
              onPlace={(by) => place(entry.id, by === 'front' ? 0 : at + by)}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

/** The order as it is wished, until the server has said how it is. */
function useOrder({ entries, version }: Queue, change: Change) {
  const [ids, setIds] = useState(() => entries.map(({ id }) => id))
  const known = entries.map(({ id }) => id).join(' ')
  // What was moved stands there at once; what the server says next is how it is.
  useEffect(() => setIds(known.split(' ').map(Number)), [known, version])
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const shown = ids.map((id) => byId.get(id)).filter((entry) => entry !== undefined)

  function place(id: number, to: number) {
    const rest = shown.map((entry) => entry.id).filter((one) => one !== id)
    const at = Math.min(rest.length, Math.max(0, to))
    const order = [...rest.slice(0, at), id, ...rest.slice(at)]
    setIds(order)
    change.mutate(() => queueCalls.move(id, order[at - 1] ?? null, version), {
      onError: () => setIds(entries.map((entry) => entry.id)),
    })
  }

  return { ids, byId, shown, place }
}

function DoneRow({ entry, change }: { entry: QueueEntry; change: Change }) {
  const { t } = useTranslation('queue')
  const run = useRun()
  const { moment } = useTimeText()
  const last = entry.runs.at(-1)
  const at = ms(entry.ended_at)
  return (
    <li className={styles.doneRow}>
      <div className={styles.name}>
        {last?.print_id ? (
          <Link to={paths.print(last.print_id)}>{entry.file.filename}</Link>
        ) : (
          <bdi>{entry.file.filename}</bdi>
        )}
        {last && (
          <Group component="span" gap={6} wrap="nowrap">
            <StatusMark
              shape={last.state === 'finished' ? 'dot' : 'cross'}
              tone={last.state === 'finished' ? 'good' : 'quiet'}
              size={11}
            />
            {run(last)}
          </Group>
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
}
