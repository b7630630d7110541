import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { removeItems } from './gcode-files.api.ts'
import type { Item } from './items.ts'

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
