import { Button, Loader } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { PickList } from '../../../ui/PickList.tsx'
import { Crumbs } from './Crumbs.tsx'
import { listQuery, readMore } from './gcode-files.api.ts'
import styles from './Dialogs.module.css'
import type { Item } from './items.ts'
import { useMove } from './useChanges.ts'

interface MoveDialogProps {
  items: readonly Item[]
  /** Where they lie now; null is the root. */
  from: number | null
  onClose: () => void
  onMoved?: () => void
}

/** Where to put what is moved: only folders can be chosen, and none of those that are moved. */
export function MoveDialog({ items, from, onClose, onMoved }: MoveDialogProps) {
  const { t } = useTranslation('gcode-files')
  const [at, setAt] = useState(from)
  const [isBusy, setBusy] = useState(false)
  const move = useMove()
  async function place() {
    setBusy(true)
    const isMoved = await move(items, at)
    setBusy(false)
    if (!isMoved) return
    onMoved?.()
    onClose()
  }
  const [first] = items
  return (
    <Dialog
      title={
        first && items.length === 1
          ? t('move.one', { name: first.name })
          : t('move.title', { count: items.length })
      }
      onClose={onClose}
    >
      <div className={styles.move}>
        <Crumbs folder={at} onOpen={setAt} />
        <Folders at={at} without={items} onOpen={setAt} />
      </div>
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="filled" disabled={at === from} loading={isBusy} onClick={() => void place()}>
          {t('move.action')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

interface FoldersProps {
  at: number | null
  without: readonly Item[]
  onOpen: (id: number) => void
}

function Folders({ at, without, onOpen }: FoldersProps) {
  const { t } = useTranslation('gcode-files')
  const client = useQueryClient()
  const asked = { folder: at, q: '', by: 'name', direction: 'asc' } as const
  const { data, error, refetch } = useQuery(listQuery(asked))
  if (!data && error)
    return <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Loader size={24} role="img" aria-label={t('loading')} />
  const { rows, count } = data.folders
  const moved = new Set(without.flatMap(({ kind, id }) => (kind === 'folder' ? [id] : [])))
  return (
    <PickList
      label={t('move.folders')}
      items={rows.map(({ id, name }) => ({
        key: String(id),
        kind: 'folder' as const,
        id,
        name,
        disabled: moved.has(id),
      }))}
      none={t('move.none')}
      onPick={({ id }) => onOpen(id)}
      onMore={rows.length < count ? () => void readMore(client, asked) : null}
    />
  )
}
