import { useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { moveItems } from './gcode-files.api.ts'
import type { ItemId } from './items.ts'

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
