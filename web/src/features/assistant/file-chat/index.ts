import { lazily } from '../../../ui/lazily.tsx'
import { loadTexts } from '../words/index.ts'

/** What was said with the assistant before this file was made, and whether it printed well; nothing for other files. */
export const FileChat = lazily(async () => {
  const [{ FileChat: Came }] = await Promise.all([import('./FileChat.tsx'), loadTexts()])
  return Came
})
