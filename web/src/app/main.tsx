import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './global.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../lib/i18n.ts'
import { ConfirmHost } from '../ui/confirm.tsx'
import { client } from './client.ts'
import { router } from './routes.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

const colorScheme = localStorageColorSchemeManager({ key: 'colorTheme' })

await startI18n()

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>
        <Notifications position="bottom-right" limit={4} />
        <ConfirmHost />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
