import type { Printer, PrinterWrite } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../lib/catalogue.ts'
import { type Problem, problemOf } from '../lib/errors.ts'
import { toast } from '../lib/toast.ts'
import { useProblemText } from '../ui/Notice.tsx'
import type { SaveState } from '../ui/SettingRow.tsx'
import { applyPrinter } from './held.ts'
import { savePrinter } from './printers.api.ts'
import { useErrorDialog, useWithSupport } from '../ui/useErrorDialog.tsx'
import { createSaver, IDLE, type Refusal, type Surroundings } from './saver.ts'

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
  return useSaved<PrinterWrite[K]>({ held: printer[key], delayMs, keeps: (now) => typed && !now, ...save })
}

interface Saving<T> extends Omit<Surroundings<T>, 'show'> {
  /** What holds. */
  held: T
  delayMs: number
  /** Whether what was set stays when it is refused, to be mended; else what holds is shown again. */
  keeps: (now: boolean) => boolean
}

/** A field that saves itself, whatever it is of. */
export function useSaved<T>({ held, delayMs, keeps, ...save }: Saving<T>): Field<T> {
  const latest = useRef(save)
  latest.current = save
  const isKept = useRef(keeps(false))
  const [draft, setDraft] = useState<{ value: T } | null>(null)
  const [state, setState] = useState<SaveState>(IDLE)
  const [saver] = useState(() =>
    createSaver<T>({
      put: (value) => latest.current.put(value),
      tooSlow: () => latest.current.tooSlow(),
      show: (next) => {
        if (next.phase === 'saved' || (next.phase === 'failed' && !isKept.current)) setDraft(null)
        setState(next)
      },
    }),
  )
  useEffect(() => saver.flush, [saver])

  return {
    value: draft ? draft.value : held,
    state,
    flush: saver.flush,
    set(value, now = false) {
      isKept.current = keeps(now)
      setDraft({ value })
      saver.set(value, now ? 0 : delayMs)
    },
  }
}

/** Why a field was not saved: what the server says of it, else what went wrong. `failed`: a sentence. */
export function useRefusal() {
  const problemText = useProblemText()
  return (problem: Problem, key: string, failed: string): Refusal =>
    problem.kind === 'fields'
      ? { error: problem.fields[key] ?? failed, again: false }
      : { error: `${failed} ${problemText(problem)}`, again: true }
}

/** Saves one field; tells what concerns no field, and answers with what does. */
function useSave<K extends keyof PrinterWrite>(printerId: number, key: K) {
  const message = useMessages()
  const client = useQueryClient()
  const problemText = useProblemText()
  const refusalOf = useRefusal()
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
        if (problem.kind === 'fields' && problem.general) showError(problem.general)
        return refusalOf(problem, key, `${failed}.`)
      }
    },
  }
}
