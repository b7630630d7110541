import { Button } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { modelsOf } from '../bridge/index.ts'
import styles from './Chat.module.css'
import { analyse, send } from './query.ts'
import { useChat } from './useChat.ts'

const WISHES = ['strong', 'quality', 'draft'] as const
const FOR_MODELS = ['slice', 'orient', 'arrange'] as const

/** What people ask most, as one press. */
export function QuickButtons() {
  const { t } = useTranslation('assistant')
  const [chat, { isThinking, slicing, project }] = useChat('isThinking', 'slicing', 'project')
  const isBusy = isThinking || slicing !== null
  const hasModels = project !== null && modelsOf(project).length > 0
  const words = hasModels ? [...WISHES, ...FOR_MODELS] : WISHES
  return (
    <div className={styles.quick} role="group" aria-label={t('quick.label')}>
      {hasModels && (
        <Button size="compact-sm" radius="xl" disabled={isBusy} onClick={() => void analyse(chat)}>
          {t('analyse')}
        </Button>
      )}
      {words.map((word) => (
        <Button
          key={word}
          size="compact-sm"
          radius="xl"
          disabled={isBusy}
          onClick={() => void send(chat, t(`quick.${word}`))}
        >
          {t(`quick.${word}`)}
        </Button>
      ))}
    </div>
  )
}
