import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { moveItems, removeItems } from './gcode-files.api.ts'
import type { Item, ItemId } from './items.ts'
import { problemOf } from '../../../lib/errors.ts'

/** Asks, deletes, and says what came of it. True when they are gone. */
export function useRemove(): (items: readonly Item[]) => Promise<boolean> {
  const { t } = useTranslation('gcode-files')
  const client = useQueryClient()
  const message = useMessages()
  const sayError = useErrorDialog()
  return async (items) => {
    const count = items.length
    const [first] = items
    if (!first) return false
    const hasFolder = items.some(({ kind }) => kind === 'folder')
    const sure = await confirm({
      title: count === 1 ? t('delete.one', { name: first.name }) : t('delete.title', { count }),
      text: `${hasFolder ? `${t('delete.within')} ` : ''}${message('cannotBeUndone')}`,
      action: t('actions.delete'),
      tone: 'bad',
    })
    if (!sure) return false
    try {
      await removeItems(client, items)
    } catch {
      sayError(message(count === 1 ? 'itemNotDeleted' : 'itemsNotDeleted'))
      return false
    }
    toast(count === 1 ? t('delete.doneOne', { name: first.name }) : t('delete.done', { count }), 'done')
    return true
  }
}

/** Moves files and folders into a folder, null being the root, and says it when that did not work. True when they are there. */
export function useMove(): (items: readonly ItemId[], to: number | null) => Promise<boolean> {
  const client = useQueryClient()
  const message = useMessages()
  const sayError = useErrorDialog()
  return async (items, to) => {
    const moved = items.filter(({ kind, id }) => kind === 'file' || id !== to)
    if (moved.length === 0) return false
    try {
      await moveItems(client, moved, to)
      return true
    } catch (error) {
      const problem = problemOf(error)
      const isTaken = problem.kind === 'fields' && problem.fields['name'] !== undefined
      sayError([message('moveFailed'), ...(isTaken ? [message('folderExists')] : [])].join('. '))
      return false
    }
  }
}
