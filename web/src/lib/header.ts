import { useQueryValues } from './address.ts'
import { useBootstrap } from './session.ts'

/** Inside the web view of an app, or asked for by `hide_header=true` or `hide_navbar=true`: no navigation of ours. */
export function useHeaderHidden(): boolean {
  const { page_context: context } = useBootstrap()
  const { hide_header: header, hide_navbar: bar } = useQueryValues()
  return header === 'true' || bar === 'true' || context.app_platform !== null
}
