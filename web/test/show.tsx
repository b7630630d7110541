import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { client } from '../src/app/client.ts'
import { Dressed } from '../src/app/Dressed.tsx'
import { parseSearch, stringifySearch } from '../src/app/search.ts'
import { type Language, showLanguage, startI18n } from '../src/lib/i18n.ts'
import { bootstrapQuery } from '../src/lib/session.ts'
import { ConfirmHost } from '../src/ui/confirm.tsx'
import { Toasts } from '../src/ui/Toasts.tsx'

let texts: Promise<void> | null = null

interface Shown {
  /** The address, for parts that read it, and the form of its path where they read a place of it. */
  readonly at?: string
  readonly form?: string
  readonly language?: Language
}

/**
 * Shows a part as the app does: in our colours and texts, with ways to other pages, questions and toasts beside it, and the real
 * client of the server, for which `aServer` stands in. Returns the hands and eyes of who uses it, and where they are.
 */
export async function show(part: ReactNode, { at = '/', form = '$', language = 'en' }: Shown = {}) {
  texts ??= startI18n()
  await texts
  await showLanguage(language)
  await client.prefetchQuery(bootstrapQuery)
  const root = createRootRoute()
  const any = createRoute({ getParentRoute: () => root, path: form, component: () => part })
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren(form === '$' ? [any] : [any, elsewhere]),
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch,
    stringifySearch,
  })
  await act(() => router.load())
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={client}>
      <Dressed>
        <RouterProvider
          router={router as never}
          InnerWrap={({ children }) => (
            <>
              <Toasts />
              <ConfirmHost />
              {children}
            </>
          )}
        />
      </Dressed>
    </QueryClientProvider>,
  )
  return { user, router }
}
