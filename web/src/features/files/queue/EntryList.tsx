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
import type { Queue } from '@vigil/contract/files/queue.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EntryRow } from './EntryRow.tsx'
import styles from './Queue.module.css'
import { type Change, queueCalls } from './queue.api.ts'

/** What waits, in its order: moved by pointer, finger or keyboard. */
export function EntryList({ queue, change }: { queue: Queue; change: Change }) {
  const { t } = useTranslation('queue')
  const { entries, version } = queue
  const [ids, setIds] = useState(() => entries.map(({ id }) => id))
  const known = entries.map(({ id }) => id).join(' ')
  // What was moved stands there at once; what the server says next is how it is.
  useEffect(() => setIds(known.split(' ').map(Number)), [known, version])
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
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
        <ol className={styles.list} aria-label={t('list')}>
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
