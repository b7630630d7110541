import type { Printer, PrinterWrite } from '@vigil/contract/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { SaveState } from '../../../ui/SettingRow.tsx'
import { applyPrinters, savePrinter } from '../printers.api.ts'

/** Text and numbers are saved this long after the last change (product-1 section 4). */
export const DEBOUNCE_MS = 1_000
const RESULT_MS = 2_000
const IDLE: SaveState = { phase: 'idle', error: null }

export interface Field<T> {
  value: T
  state: SaveState
  set: (value: T) => void
  /** Saves at once what waits, for instance when the field is left. */
  flush: () => void
}

/** One field of a printer that saves itself; what was refused stays, with the reason beside it. */
export function useField<K extends keyof PrinterWrite>(
  printer: Printer,
  key: K,
  delayMs = 0,
): Field<PrinterWrite[K]> {
  const message = useMessages()
  const client = useQueryClient()
  const problemText = useProblemText()
  const [draft, setDraft] = useState<{ value: PrinterWrite[K] } | null>(null)
  const [state, setState] = useState<SaveState>(IDLE)
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; value: PrinterWrite[K] } | null>(null)
  const latest = useRef(0)
  const saveRef = useRef(save)
  saveRef.current = save

  async function save(value: PrinterWrite[K]) {
    const turn = ++latest.current
    pending.current = null
    setState({ phase: 'saving', error: null })
    try {
      const result = await savePrinter(printer.id, { [key]: value })
      if (result?.printer) applyPrinters(client, new Map([[printer.id, result.printer]]))
      if (turn !== latest.current || pending.current) return
      if (!result?.printer) {
        toast(message('patchWithoutData'), 'failed')
        setState({ phase: 'failed', error: message('patchWithoutData') })
        return
      }
      setDraft(null)
      setState({ phase: 'saved', error: null })
      setTimeout(() => turn === latest.current && setState(IDLE), RESULT_MS)
    } catch (error) {
      if (turn !== latest.current) return
      const problem = problemOf(error)
      const beside = problem.kind === 'fields' ? problem.fields[key] : undefined
      if (problem.kind === 'fields' && problem.general) toast(problem.general, 'failed')
      const what = message(key === 'name' ? 'nameNotSaved' : 'notSaved')
      setState({ phase: 'failed', error: beside ?? `${what}. ${problemText(problem)}` })
    }
  }

  function flush() {
    const waiting = pending.current
    if (!waiting) return
    clearTimeout(waiting.timer)
    void save(waiting.value)
  }

  useEffect(
    () => () => {
      const waiting = pending.current
      if (!waiting) return
      clearTimeout(waiting.timer)
      void saveRef.current(waiting.value)
    },
    [],
  )

  return {
    value: draft ? draft.value : printer[key],
    state,
    flush,
    set(value) {
      setDraft({ value })
      if (pending.current) clearTimeout(pending.current.timer)
      pending.current = null
      if (delayMs === 0) void save(value)
      else pending.current = { value, timer: setTimeout(() => void save(value), delayMs) }
    },
  }
}
