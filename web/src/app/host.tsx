import '@mantine/core/styles.layer.css'
import './global.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../lib/i18n.ts'
import { bootstrapQuery } from '../lib/session.ts'
import { client } from './client.ts'
import { Dressed } from './Dressed.tsx'

/** A page that plays the desktop slicer around the chat, where the server is tried out or tested. */
async function begin(): Promise<void> {
  await Promise.all([startI18n(), client.prefetchQuery(bootstrapQuery)])
  const [{ loadTexts }, { default: HostScreen }] = await Promise.all([
    import('../features/assistant/words/index.ts'),
    import('../features/assistant/host/HostScreen.tsx'),
  ])
  await loadTexts()
  const root = document.querySelector('#root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Dressed>
          <HostScreen />
        </Dressed>
      </QueryClientProvider>
    </StrictMode>,
  )
}

void begin()
