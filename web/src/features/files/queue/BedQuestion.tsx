import { Button, Flex } from '@mantine/core'
import type { QueueEntry, QueuePrinter } from '@vigil/contract/files/queue.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { CameraPicture } from '../../../printer/camera/CameraPicture.tsx'
import { ownPrintersQuery } from '../../../printer/printers.api.ts'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Queue.module.css'
import { type Change, queueCalls } from './queue.api.ts'

interface BedQuestionProps {
  printer: QueuePrinter
  next: QueueEntry | undefined
  change: Change
}

/** Is the bed clear? With the camera's last picture beside it; the answer is about the bed as it is now. */
export function BedQuestion({ printer, next, change }: BedQuestionProps) {
  const { t } = useTranslation('queue')
  const { duration } = useTimeText()
  const { data } = useQuery(ownPrintersQuery)
  const shown = data?.find(({ id }) => id === printer.id)
  const time = next?.file.estimated_time
  return (
    <Flex
      component="section"
      wrap="wrap"
      gap="12px 16px"
      p={12}
      bd="1px solid var(--v-accent)"
      bdrs={12}
      bg="var(--v-surface)"
      aria-label={t('bed.question', { printer: printer.name })}
    >
      <div className={styles.picture}>
        {shown && <CameraPicture printer={shown} live frameRatio={16 / 10} fill />}
      </div>
      <div className={styles.asked}>
        <h2>{t('bed.question', { printer: printer.name })}</h2>
        {next && (
          <p>
            <bdi>{t('bed.next', { file: next.file.filename })}</bdi>
            {time ? ` · ${duration(time)}` : ''}
          </p>
        )}
        <Button
          variant="filled"
          loading={change.isPending}
          onClick={() => change.mutate(() => queueCalls.clear(printer.id, printer.bed))}
        >
          {t('bed.action')}
        </Button>
      </div>
    </Flex>
  )
}
