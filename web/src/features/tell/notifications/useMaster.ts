import { updateMe } from '@vigil/contract/people/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useSetUser, useUser } from '../../../lib/session.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { SaveState } from '../../../ui/SettingRow.tsx'

/** A switch of the account: shown turned at once, and back when it could not be saved. */
export function useMaster(field: 'notification_enabled' | 'account_notification_by_email') {
  const user = useUser()
  const setUser = useSetUser()
  const problemText = useProblemText()
  const saving = useMutation({
    mutationFn: (on: boolean) => call(updateMe, { body: { [field]: on } }),
    onMutate: (on) => {
      setUser({ ...user, [field]: on })
      return user
    },
    onSuccess: setUser,
    onError: (_error, _on, before) => before && setUser(before),
  })
  const phase = saving.isPending ? 'saving' : saving.isError ? 'failed' : saving.isSuccess ? 'saved' : 'idle'
  const state: SaveState = {
    phase,
    error: saving.error ? problemText(problemOf(saving.error)) : null,
  }
  return { user, state, save: saving.mutate }
}
