import type { Brand } from '@vigil/contract/people/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { serverUrl } from './base.ts'
import { bootstrapQuery } from './session.ts'

export type Theme = 'light' | 'dark'

/** What the server has written into the page for the first paint. */
const { theme } = document.documentElement.dataset

/** The only theme of this page's brand, before the server was asked anything. */
export const firstTheme: Theme | null = theme === 'light' || theme === 'dark' ? theme : null

/** What the pages are dressed in; null until the server has said it. */
export function useBrandOrNull(): Brand | null {
  return useQuery(bootstrapQuery).data?.page_context.syndicate ?? null
}

/** The address of a brand's logo. */
export const logoOf = ({ logo_full: path }: Brand): string => serverUrl(path)
