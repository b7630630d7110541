import '@mantine/core/styles.layer.css'
import './global.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { asLanguage, showLanguage, startI18n } from '../lib/i18n.ts'
import { bootstrapQuery } from '../lib/session.ts'
import { client } from './client.ts'
import { Dressed } from './Dressed.tsx'

/** The slicer around the page says how bright it is in its name. */
const said = /JusPrin\/\S{1,30} \((dark|light)\)/.exec(navigator.userAgent.slice(0, 500))?.[1]
const scheme = said === 'dark' || said === 'light' ? said : null

/** The page that a desktop slicer shows: the chat alone, without the frame and the ways of all others. */
async function begin(): Promise<void> {
  await Promise.all([startI18n(), client.prefetchQuery(bootstrapQuery)])
  const language = new URLSearchParams(location.search).get('lang')
  if (language) await showLanguage(asLanguage(language))
  const [{ loadTexts }, { EmbeddedChat }] = await Promise.all([
    import('../features/assistant/words/index.ts'),
    import('../features/assistant/chat/EmbeddedChat.tsx'),
  ])
  await loadTexts()
  const root = document.querySelector('#root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Dressed scheme={scheme}>
          <EmbeddedChat />
        </Dressed>
      </QueryClientProvider>
    </StrictMode>,
  )
}

void begin()
