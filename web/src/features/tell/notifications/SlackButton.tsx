import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { askSlack } from './notifications.api.ts'
import styles from './Notifications.module.css'

/** Leads to Slack's page, where our app is put into a workspace. */
export function SlackButton({ isSetUp }: { isSetUp: boolean }) {
  const { t } = useTranslation('notifications')
  const problemText = useProblemText()
  const asking = useMutation({
    mutationFn: askSlack,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <div className={styles.test}>
      <p className={styles.lead}>{t('channel.slack.how')}</p>
      <Button
        variant={isSetUp ? 'default' : 'filled'}
        loading={asking.isPending}
        onClick={() => asking.mutate()}
      >
        {t(isSetUp ? 'channel.slack.again' : 'channel.slack.install')}
      </Button>
      {asking.error && (
        <span role="alert" className={styles.bad}>
          {problemText(problemOf(asking.error))}
        </span>
      )}
    </div>
  )
}
