import type { Printer, PrinterWrite } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../lib/catalogue.ts'
import { problemOf } from '../lib/errors.ts'
import { toast } from '../lib/toast.ts'
import { useProblemText } from '../ui/Notice.tsx'
import type { SaveState } from '../ui/SettingRow.tsx'
import { applyPrinter } from './held.ts'
import { savePrinter } from './printers.api.ts'
import { useErrorDialog, useWithSupport } from '../ui/useErrorDialog.tsx'
import { createSaver, IDLE, type Refusal } from './saver.ts'

/** Text and numbers are saved this long after the last change (docs/rules/pages.md 2). */
export const DEBOUNCE_MS = 1_000

export interface Field<T> {
  value: T
  state: SaveState
  /** `now`: does not wait for further changes. */
  set: (value: T, now?: boolean) => void
  /** Saves at once what waits, for instance when the field is left. */
  flush: () => void
}

interface FieldOptions {
  delayMs?: number
  /** What was typed stays when it is refused, to be mended; a switch goes back to what holds. */
  typed?: boolean
}

/** One field of a printer that saves itself; what went wrong stands beside it, with a way to try again. */
export function useField<K extends keyof PrinterWrite>(
  printer: Printer,
  key: K,
  { typed = false, delayMs = typed ? DEBOUNCE_MS : 0 }: FieldOptions = {},
): Field<PrinterWrite[K]> {
  const save = useSave(printer.id, key)
  const latest = useRef(save)
  latest.current = save
  const keeps = useRef(typed)
  const [draft, setDraft] = useState<{ value: PrinterWrite[K] } | null>(null)
  const [state, setState] = useState<SaveState>(IDLE)
  const [saver] = useState(() =>
    createSaver<PrinterWrite[K]>({
      put: (value) => latest.current.put(value),
      tooSlow: () => latest.current.tooSlow(),
      show: (next) => {
        if (next.phase === 'saved' || (next.phase === 'failed' && !keeps.current)) setDraft(null)
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
      keeps.current = typed && !now
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
    async put(value: PrinterWrite[K]): Promise<Refusal | null> {
      try {
        const result = await savePrinter(printerId, { [key]: value })
        if (result?.printer) applyPrinter(client, result.printer)
        else toast(withSupport(message('patchWithoutData')), 'failed')
        return result?.printer ? null : { error: message('patchWithoutData'), again: false }
      } catch (error) {
        const problem = problemOf(error)
        if (problem.kind !== 'fields') return { error: `${failed}. ${problemText(problem)}`, again: true }
        if (problem.general) showError(problem.general)
        return { error: problem.fields[key] ?? `${failed}.`, again: false }
      }
    },
  }
}
