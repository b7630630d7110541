import { Button } from '@mantine/core'
import { IconCircleCheck, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { reachKey } from '../../../printer/reach.api.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { sendTest } from './notifications.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Notifications.module.css'

/** What a test that failed is called, by its channel (docs/rules/pages.md). */
const FAILED: Readonly<Record<string, 'slackTestFailed' | 'telegramTestFailed'>> = {
  slack: 'slackTestFailed',
  telegram: 'telegramTestFailed',
}

/** Sends a message now, and says what came of it in the receiver's own words. */
export function TestButton({ id, channel }: { id: number; channel: string }) {
  const { t } = useTranslation('notifications')
  const message = useMessages()
  const client = useQueryClient()
  const problemText = useProblemText()
  const sending = useMutation({
    mutationFn: () => sendTest(id),
    onSettled: () => client.invalidateQueries({ queryKey: reachKey }),
  })
  // One too many was not sent, and says nothing of the channel.
  const isThrottled = sending.error !== null && problemOf(sending.error).kind === 'throttled'
  const known = FAILED[channel]
  const failed = known ? message(known) : t('test.failed')
  return (
    <div className={styles.test}>
      <Button
        leftSection={<IconSend size={16} stroke={1.75} />}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {t('test.send')}
      </Button>
      <div role="status" className={shared.fits}>
        {sending.isSuccess && (
          <span className={styles.good}>
            <IconCircleCheck size={18} stroke={1.75} aria-hidden /> {t('test.sent')}
          </span>
        )}
        {sending.error && (
          <span className={styles.bad}>
            {isThrottled ? '' : `${failed}: `}
            {problemText(problemOf(sending.error))}
          </span>
        )}
      </div>
    </div>
  )
}
