import type { Printer, PrinterWrite } from '@vigil/contract/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { SaveState } from '../../../ui/SettingRow.tsx'
import { applyPrinters, savePrinter } from '../printers.api.ts'
import { useErrorDialog, useWithSupport } from '../useErrorDialog.tsx'
import { createSaver, IDLE } from './saver.ts'

/** Text and numbers are saved this long after the last change (product-1 section 4). */
export const DEBOUNCE_MS = 1_000

export interface Field<T> {
  value: T
  state: SaveState
  /** `now`: does not wait for further changes. */
  set: (value: T, now?: boolean) => void
  /** Saves at once what waits, for instance when the field is left. */
  flush: () => void
}

/** One field of a printer that saves itself; what was refused stays, with the reason beside it. */
export function useField<K extends keyof PrinterWrite>(
  printer: Printer,
  key: K,
  delayMs = 0,
): Field<PrinterWrite[K]> {
  const save = useSave(printer.id, key)
  const latest = useRef(save)
  latest.current = save
  const [draft, setDraft] = useState<{ value: PrinterWrite[K] } | null>(null)
  const [state, setState] = useState<SaveState>(IDLE)
  const [saver] = useState(() =>
    createSaver<PrinterWrite[K]>({
      put: (value) => latest.current.put(value),
      tooSlow: () => latest.current.tooSlow(),
      show: (next) => {
        if (next.phase === 'saved') setDraft(null)
        setState(next)
      },
    }),
  )
  useEffect(() => saver.flush, [saver])

  return {
    value: draft ? draft.value : printer[key],
    state,
    flush: saver.flush,
    set(value, now = false) {
      setDraft({ value })
      saver.set(value, now ? 0 : delayMs)
    },
  }
}

/** Saves one field; tells what concerns no field, and answers with what does. */
function useSave<K extends keyof PrinterWrite>(printerId: number, key: K) {
  const message = useMessages()
  const client = useQueryClient()
  const problemText = useProblemText()
  const showError = useErrorDialog()
  const withSupport = useWithSupport()
  const failed = message(key === 'name' ? 'nameNotSaved' : 'notSaved')

  return {
    tooSlow: () => `${failed}. ${problemText({ kind: 'offline' })}`,
    async put(value: PrinterWrite[K]): Promise<string | null> {
      try {
        const result = await savePrinter(printerId, { [key]: value })
        if (result?.printer) applyPrinters(client, new Map([[printerId, result.printer]]))
        else toast(withSupport(message('patchWithoutData')), 'failed')
        return result?.printer ? null : message('patchWithoutData')
      } catch (error) {
        const problem = problemOf(error)
        if (problem.kind !== 'fields') return `${failed}. ${problemText(problem)}`
        if (problem.general) showError(problem.general)
        return problem.fields[key] ?? `${failed}.`
      }
    },
  }
}
