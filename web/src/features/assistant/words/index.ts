import i18next from 'i18next'
import { asLanguage } from '../../../lib/i18n.ts'

const loaders = {
  en: () => import('../../../../../locales/en/assistant/assistant.json'),
  zh: () => import('../../../../../locales/zh/assistant/assistant.json'),
}

/** Has the assistant's texts in the language that is shown: no page begins with them, so they come with its parts alone. */
export async function loadTexts(): Promise<void> {
  const language = asLanguage(i18next.language)
  if (i18next.hasResourceBundle(language, 'assistant')) return
  const { default: texts } = await loaders[language]()
  i18next.addResourceBundle(language, 'assistant', texts, true, true)
  // Whoever is shown already is told that there are words now.
  i18next.emit('languageChanged', i18next.language)
}

i18next.on('languageChanged', () => void loadTexts())
