import '@mantine/core/styles.layer.css'
import './global.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchEarly } from '../lib/early.ts'
import { watchLine } from '../lib/line.ts'
import { report } from '../lib/report.ts'
import { startI18n } from '../lib/i18n.ts'
import { Boundary } from '../ui/Boundary.tsx'
import { bootstrapQuery } from '../lib/session.ts'
import { ConfirmHost } from '../ui/confirm.tsx'
import { laterOn } from '../ui/lazily.tsx'
import { client } from './client.ts'
import { Dressed } from './Dressed.tsx'
import { installWorker } from './installed.ts'
import { loadFirstScreen, router } from './routes.tsx'

/** Without texts there is nothing to show: asked for again, as the frame that stands there says that it loads. */
const AGAIN_MS = 5_000
const texts = () => startI18n().catch(() => new Promise(() => setTimeout(() => location.reload(), AGAIN_MS)))

/** What is said before they came waits for them. */
const Toasts = laterOn(async () => (await import('../ui/Toasts.tsx')).Toasts)

/** Comes with what is asked of it: nothing dangerous is asked for by the first screen. */
const ProofHost = laterOn(async () => (await import('../features/people/security/ProofHost.tsx')).ProofHost)

/** What stands beside the pages, knows the way to them, and never takes them along when it breaks. */
function WithAsides({ children }: { children: ReactNode }) {
  return (
    <>
      <Boundary instead={() => null} onBroken={report}>
        <Toasts />
      </Boundary>
      <ConfirmHost />
      <Boundary instead={() => null} onBroken={report}>
        <ProofHost />
      </Boundary>
      {children}
    </>
  )
}

/** Draws once, when all is there that the first screen needs; until then the frame of the page itself stands. */
async function begin(): Promise<void> {
  await Promise.all([texts(), client.prefetchQuery(bootstrapQuery), loadFirstScreen()])
  watchLine()
  const root = document.querySelector('#root') as HTMLElement
  watchEarly(root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Dressed>
          <RouterProvider router={router} InnerWrap={WithAsides} />
        </Dressed>
      </QueryClientProvider>
    </StrictMode>,
  )

  installWorker(router)
}

// Pages that stand alone are made of the same files, and begin by themselves.
if (!('alone' in document.documentElement.dataset)) void begin()
