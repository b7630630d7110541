import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './global.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../lib/i18n.ts'
import { ConfirmHost } from '../ui/confirm.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { client } from './client.ts'
import { Dressed } from './Dressed.tsx'
import { installWorker } from './installed.ts'
import { router } from './routes.tsx'

await startI18n()

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Dressed>
        <Toasts />
        <ConfirmHost />
        <RouterProvider router={router} />
      </Dressed>
    </QueryClientProvider>
  </StrictMode>,
)

installWorker(router)
