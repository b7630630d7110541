import { changeRules, getRules, type NotificationRules } from '@vigil/contract/tell/notification-rules.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { SaveState } from '../../../ui/SettingRow.tsx'

const rulesQuery = queryOptions({
  queryKey: ['notifications', 'rules'] as const,
  queryFn: () => call(getRules),
  staleTime: 30_000,
})

export const useRules = () => useQuery(rulesQuery)

/** The zone of this browser's clock. */
export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

type Changes = Partial<Omit<NotificationRules, 'time_zone'>> & { time_zone?: string }

/** Changes rules: shown at once, and as they were when they could not be saved. Who has no time zone yet gets the browser's. */
export function useChangeRules(rules: NotificationRules) {
  const client = useQueryClient()
  const problemText = useProblemText()
  const keep = (after: NotificationRules) => client.setQueryData(rulesQuery.queryKey, after)
  const saving = useMutation({
    mutationFn: (changes: Changes) =>
      call(changeRules, { body: { ...(rules.time_zone === null && { time_zone: ownZone() }), ...changes } }),
    onMutate: (changes) => {
      keep({ ...rules, ...changes })
      return rules
    },
    onSuccess: keep,
    onError: (_error, _changes, before) => before && keep(before),
  })
  const problem = saving.error ? problemOf(saving.error) : null
  const stateOf = (field: keyof NotificationRules): SaveState => {
    if (!saving.variables || !(field in saving.variables)) return { phase: 'idle', error: null }
    const phase = saving.isPending ? 'saving' : problem ? 'failed' : saving.isSuccess ? 'saved' : 'idle'
    const beside = problem?.kind === 'fields' ? Object.values(problem.fields).join(' ') : null
    return { phase, error: problem ? beside || problemText(problem) : null }
  }
  return { save: saving.mutate, stateOf }
}
