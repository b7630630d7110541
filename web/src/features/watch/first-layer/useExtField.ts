import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { createSaver, IDLE } from '../../../printer/saver.ts'
import { DEBOUNCE_MS, type Field } from '../../../printer/useField.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { SaveState } from '../../../ui/SettingRow.tsx'
import { type Ext, extQuery, saveExt } from './first-layer.api.ts'

export type NumberField = Exclude<
  Extract<keyof Ext, `first_layer_scan_${string}`>,
  'first_layer_scan_opted_in'
>

/** One setting of the scan that saves itself, alone: numbers a second after they were typed, a switch at once. */
export function useExtField<K extends NumberField | 'first_layer_scan_opted_in'>(
  ext: Ext,
  key: K,
): Field<Ext[K]> {
  const { t } = useTranslation('first-layer')
  const client = useQueryClient()
  const problemText = useProblemText()
  const [draft, setDraft] = useState<{ value: Ext[K] } | null>(null)
  const [state, setState] = useState<SaveState>(IDLE)
  const isTyped = typeof ext[key] === 'number'

  async function put(value: Ext[K]) {
    try {
      client.setQueryData(extQuery(ext.printer).queryKey, await saveExt(ext.printer, { [key]: value }))
      return null
    } catch (error) {
      const problem = problemOf(error)
      if (problem.kind === 'fields') return { error: problem.fields[key] ?? t('fieldFailed'), again: false }
      return { error: `${t('fieldFailed')} ${problemText(problem)}`, again: true }
    }
  }
  const latest = useRef({ put, tooSlow: () => t('fieldFailed') })
  latest.current = { put, tooSlow: () => t('fieldFailed') }
  const [saver] = useState(() =>
    createSaver<Ext[K]>({
      put: (value) => latest.current.put(value),
      tooSlow: () => latest.current.tooSlow(),
      show: (next) => {
        // A switch shows what holds; what was typed stays, to be mended.
        if (next.phase === 'saved' || (next.phase === 'failed' && !isTyped)) setDraft(null)
        setState(next)
      },
    }),
  )
  useEffect(() => saver.flush, [saver])

  return {
    value: draft ? draft.value : ext[key],
    state,
    flush: saver.flush,
    set(value, now = false) {
      setDraft({ value })
      saver.set(value, now || !isTyped ? 0 : DEBOUNCE_MS)
    },
  }
}
