import { ActionIcon, Box, Button, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFolderSymlink, IconTrash, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useSelection } from '../../../lib/useSelection.ts'
import list from '../../../ui/List.module.css'
import { useProblemText } from '../../../ui/Notice.tsx'
import { VirtualLines } from '../../../ui/VirtualLines.tsx'
import { MoveDialog, RenameDialog } from './dialogs.ts'
import styles from './Files.module.css'
import { ItemRow } from './ItemRow.tsx'
import { idOf, type Item } from './items.ts'
import type { useListing } from './useListing.ts'
import { useMove, useRemove } from './useChanges.ts'
import { useUpload } from './uploads.ts'

/** How high lines are before they are seen, in pixels: Files.module.css. */
const HEIGHT = { wide: { folder: 52, file: 66 }, narrow: { folder: 60, file: 84 } }

/** What is being done to some of them. */
type Act = { kind: 'rename'; item: Item } | { kind: 'move'; items: readonly Item[] } | null

interface FolderItemsProps {
  id: number | null
  listing: ReturnType<typeof useListing>
  /** The file that stands in the sheet. */
  open: number | null
  /** Puts one there; null where there is no room for a sheet, and a file leads to its page. */
  onOpen: ((file: number) => void) | null
}

/** Folders, then files, and what can be done with each or with several. */
export function FolderItems({ id, listing, open, onOpen }: FolderItemsProps) {
  const { t } = useTranslation('gcode-files')
  const { items, isWhole, more, moreProblem, retryMore } = listing
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const [act, setAct] = useState<Act>(null)
  const keys = useMemo(() => items.map(({ key }) => key), [items])
  const { selected, chosen, select, selectNone } = useSelection(keys)
  const remove = useRemove()
  const move = useMove()
  const upload = useUpload()
  async function drop(dropped: readonly string[], to: number) {
    if (await move(dropped.map(idOf), to)) selectNone()
  }
  const chosenItems = items.filter(({ key }) => selected.has(key))
  return (
    <div data-choosing={chosen.length > 0 || undefined} className={open === null ? undefined : styles.beside}>
      <ColumnNames />
      <VirtualLines
        label={t('title')}
        lines={items}
        heightOf={({ kind }) => HEIGHT[isNarrow ? 'narrow' : 'wide'][kind]}
        onNearEnd={more}
        className={styles.line}
        render={(item) => (
          <ItemRow
            item={item}
            selected={selected.has(item.key)}
            isOpen={item.kind === 'file' && item.id === open}
            onOpen={item.kind === 'file' ? onOpen : null}
            onSelect={select}
            onRename={() => setAct({ kind: 'rename', item })}
            onMove={() => setAct({ kind: 'move', items: [item] })}
            onRemove={() => void remove([item])}
            dragged={() => (selected.has(item.key) ? chosen : [item.key])}
            onDropItems={(keys) => void drop(keys, item.id)}
            onDropFiles={(files) => upload(files, item.id)}
          />
        )}
      />
      <ListEnd isWhole={isWhole} problem={moreProblem} onRetry={retryMore} />
      <SelectionBar
        count={chosen.length}
        onMove={() => setAct({ kind: 'move', items: chosenItems })}
        onRemove={() => void remove(chosenItems).then((gone) => gone && selectNone())}
        onNone={selectNone}
      />
      {act && <ActDialog act={act} from={id} onClose={() => setAct(null)} onMoved={selectNone} />}
    </div>
  )
}

interface ListEndProps {
  isWhole: boolean
  problem: ReturnType<typeof useListing>['moreProblem']
  onRetry: () => void
}

/** Below the last line: there are more, or they could not be read. */
function ListEnd({ isWhole, problem, onRetry }: ListEndProps) {
  const { t } = useTranslation('common')
  const text = useProblemText()
  if (isWhole) return null
  return (
    <div className={list.end}>
      {problem ? (
        <>
          <p role="alert">{text(problem)}</p>
          <Button onClick={onRetry}>{t('tryAgain')}</Button>
        </>
      ) : (
        <p role="status">{t('loading')}</p>
      )}
    </div>
  )
}

interface SelectionBarProps {
  count: number
  onMove: () => void
  onRemove: () => void
  onNone: () => void
}

/** Floats while something is chosen: how much, and what can be done with it. */
function SelectionBar({ count, onMove, onRemove, onNone }: SelectionBarProps) {
  const { t } = useTranslation('gcode-files')
  if (count === 0) return null
  return (
    <Box
      component="section"
      className={list.bar}
      m="14px auto 0"
      p="10px 12px 10px 18px"
      aria-label={t('select.label')}
    >
      <strong role="status">{t('select.count', { count })}</strong>
      <Button leftSection={<IconFolderSymlink size={16} stroke={1.75} />} onClick={onMove}>
        {t('actions.move')}
      </Button>
      <Button
        variant="outline"
        color="bad"
        leftSection={<IconTrash size={16} stroke={1.75} />}
        onClick={onRemove}
      >
        {t('actions.delete')}
      </Button>
      <ActionIcon
        size="lg"
        variant="default"
        aria-label={t('select.none')}
        title={t('select.none')}
        onClick={onNone}
      >
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </Box>
  )
}

function ColumnNames() {
  const { t } = useTranslation('gcode-files')
  return (
    <div className={styles.columnNames} aria-hidden>
      {(['name', 'time', 'filament', 'size', 'lastPrint'] as const).map((name) => (
        <span key={name}>{t(`columns.${name}`)}</span>
      ))}
    </div>
  )
}

interface ActDialogProps {
  readonly act: NonNullable<Act>
  readonly from: number | null
  readonly onClose: () => void
  readonly onMoved: () => void
}

function ActDialog({ act, from, onClose, onMoved }: ActDialogProps) {
  return act.kind === 'rename' ? (
    <RenameDialog item={act.item} onClose={onClose} />
  ) : (
    <MoveDialog items={act.items} from={from} onClose={onClose} onMoved={onMoved} />
  )
}

/** Lines of the size of lines, so that nothing jumps. */
export function Loading() {
  const { t } = useTranslation('common')
  return (
    <div role="status" aria-busy="true" aria-label={t('loading')} className={list.loading}>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={list.ghost}>
          <Skeleton height={42} width={46} />
          <Skeleton height={14} width="40%" />
        </div>
      ))}
    </div>
  )
}
