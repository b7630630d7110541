import { useEffect } from 'react'
import { useBootstrap } from './session.ts'

/** The page's name in the browser's tab, before that of the brand. */
export function useTitle(title: string): void {
  const { page_context: context } = useBootstrap()
  const brand = context.syndicate.display_name
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand
  }, [title, brand])
}
