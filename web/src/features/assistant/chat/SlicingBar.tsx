import { Button, Progress } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { startOver } from './acts.ts'
import styles from './Chat.module.css'
import { useChat } from './useChat.ts'

/** How far a slicing is that was begun from here; where it takes awfully long, the way out. */
export function SlicingBar() {
  const { t } = useTranslation('assistant')
  const [chat, { slicing }] = useChat('slicing')
  if (!slicing) return null
  const percent = Math.round(slicing.share * 100)
  return (
    <div className={styles.slicing} data-over={slicing.isOver}>
      {slicing.isLate && (
        <p role="alert">
          {t('slicingLate')}{' '}
          <Button size="compact-sm" onClick={() => startOver(chat)}>
            {t('button.startOver')}
          </Button>
        </p>
      )}
      <div className={styles.slicingWords}>
        <span>{slicing.isOver ? t('slicingDone') : slicing.text || t('slicing')}</span>
        <span>{percent}&nbsp;%</span>
      </div>
      <Progress.Root>
        <Progress.Section value={percent} aria-label={t('slicing')} />
      </Progress.Root>
    </div>
  )
}
