import type { Machine, MachineSaid } from '@vigil/contract/files/machines.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { createSaver, IDLE } from '../../../printer/saver.ts'
import { DEBOUNCE_MS, type Field } from '../../../printer/useField.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { SaveState } from '../../../ui/SettingRow.tsx'
import { machineQuery, saveMachine } from './machines.api.ts'

/** One thing that an owner says of a printer; it saves itself a second after it was typed, or when it is left. */
export function useMachineField<K extends keyof MachineSaid>(
  printerId: number,
  { said }: Machine,
  field: K,
): Field<MachineSaid[K]> {
  const { t } = useTranslation('machines')
  const client = useQueryClient()
  const problemText = useProblemText()
  const [draft, setDraft] = useState<{ value: MachineSaid[K] } | null>(null)
  const [state, setState] = useState<SaveState>(IDLE)

  async function put(value: MachineSaid[K]) {
    try {
      const kept = await saveMachine(printerId, { [field]: value })
      client.setQueryData(machineQuery(printerId).queryKey, kept)
      void client.invalidateQueries({ queryKey: ['fits'] })
      return null
    } catch (error) {
      const problem = problemOf(error)
      if (problem.kind === 'fields') return { error: problem.fields[field] ?? t('notSaved'), again: false }
      return { error: `${t('notSaved')} ${problemText(problem)}`, again: true }
    }
  }
  const latest = useRef({ put, tooSlow: () => t('notSaved') })
  latest.current = { put, tooSlow: () => t('notSaved') }
  const [saver] = useState(() =>
    createSaver<MachineSaid[K]>({
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
    value: draft ? draft.value : said[field],
    state,
    flush: saver.flush,
    set(value, now = false) {
      setDraft({ value })
      saver.set(value, now ? 0 : DEBOUNCE_MS)
    },
  }
}
