import { bootstrap, type User } from '@vigil/contract/people/accounts.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import { queryOptions, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './call.ts'
import { nameBrand } from './i18n.ts'

export type Bootstrap = Reply<typeof bootstrap>

/** Who is signed in and what this server is: asked once per page load. */
export const bootstrapQuery = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: async () => {
    const known = await call(bootstrap, { query: { platform: document.documentElement.dataset['platform'] } })
    nameBrand(known.page_context.syndicate.display_name)
    return known
  },
  staleTime: Infinity,
  retry: 1,
})

/** The bootstrap answer; the root shows no screen before it is there. */
export function useBootstrap(): Bootstrap {
  const { data } = useQuery(bootstrapQuery)
  if (!data) throw new Error('A screen was shown before bootstrap')
  return data
}

/** The signed-in user; only screens behind the sign-in ask. */
export function useUser(): User {
  const { user } = useBootstrap()
  if (!user) throw new Error('A signed-in screen was shown without a user')
  return user
}

let hasLeft = false
/** Whether they signed out here; who is out and has not, was signed out. */
export const leftByThemselves = (): boolean => hasLeft

/** The call that signs out. */
export const signingOut = ['sign-out'] as const
/** Whether it is on its way: nothing is opened any more in the name of who leaves. */
export const useIsLeaving = (): boolean => useIsMutating({ mutationKey: signingOut }) > 0

/** Changes what we know of the user after a call has answered it. */
export function useSetUser(): (user: User | null) => void {
  const client = useQueryClient()
  return (user) => {
    hasLeft = !user
    if (!user) client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bootstrap' })
    const before = client.getQueryData(bootstrapQuery.queryKey)?.user
    client.setQueryData(bootstrapQuery.queryKey, (old) =>
      old ? { ...old, user, setup_required: user ? false : old.setup_required } : old,
    )
    // Another account may be one of another brand.
    if (!before !== !user) void client.invalidateQueries({ queryKey: bootstrapQuery.queryKey })
  }
}
