import { useRouter } from '@tanstack/react-router'
import { placesFor } from './places.ts'
import { useBootstrap } from './session.ts'

/** Where whoever looks at this page can go from here. */
export function usePlaces() {
  const { user, settings, page_context: context } = useBootstrap()
  const { routesByPath } = useRouter()
  return placesFor({
    user,
    isEnterprise: settings.IS_ENT,
    brand: context.syndicate,
    has: (path) => path.replace(/\/$/, '') in routesByPath,
  })
}
