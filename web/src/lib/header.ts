import { useQueryValues } from './address.ts'
import { useBootstrap } from './session.ts'

/** Inside the web view of an app, or asked for with `hide_header=true`: no navigation of ours. */
export function useHeaderHidden(): boolean {
  const { page_context: context } = useBootstrap()
  return useQueryValues()['hide_header'] === 'true' || context.app_platform !== null
}
