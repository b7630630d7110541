import { useRouter } from '@tanstack/react-router'
import { placesFor, supportOf } from './places.ts'
import { useBootstrap } from './session.ts'

/** Where whoever looks at this page can go from here. */
export function usePlaces() {
  const { user, is_admin: isAdmin, settings, page_context: context } = useBootstrap()
  const { routesByPath } = useRouter()
  return placesFor({
    user,
    isAdmin,
    isEnterprise: settings.IS_ENT,
    brand: context.syndicate,
    has: (path) => path.replace(/\/$/, '') in routesByPath,
  })
}

/** Where whoever is at a loss finds the support forums; null where the brand has no such place. */
export const useSupport = () => supportOf(useBootstrap().page_context.syndicate)
