import { ActionIcon, Button } from '@mantine/core'
import { IconBellRinging, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { hindrance } from '../../../lib/push.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import styles from './Notifications.module.css'
import { browsersChanged, browsersQuery, NotTurnedOn, turnOff, turnOn } from './push.api.ts'

/** Push to browsers: turned on in each, and taken away from any. */
export function Browsers() {
  const { t } = useTranslation('notifications')
  const browsers = useQuery(browsersQuery)
  if (browsers.error)
    return (
      <NotLoaded
        title={t('notLoaded')}
        problem={problemOf(browsers.error)}
        onRetry={() => void browsers.refetch()}
      />
    )
  if (!browsers.data) return null
  const { public_key: publicKey, subscriptions, ownEndpoint } = browsers.data
  const isOn = subscriptions.some(({ endpoint }) => endpoint === ownEndpoint)
  return (
    <>
      <p className={styles.lead}>{t('channel.webpush.how')}</p>
      {!isOn && <TurnOn publicKey={publicKey} />}
      {subscriptions.length > 0 && (
        <ul className={styles.channels} aria-label={t('push.browsers')}>
          {subscriptions.map((browser) => (
            <Browser key={browser.id} {...browser} isThis={browser.endpoint === ownEndpoint} />
          ))}
        </ul>
      )}
    </>
  )
}

function TurnOn({ publicKey }: { publicKey: string }) {
  const { t } = useTranslation('notifications')
  const client = useQueryClient()
  const problemText = useProblemText()
  const turning = useMutation({
    mutationFn: () => turnOn(publicKey),
    onSuccess: () => browsersChanged(client),
  })
  const against = hindrance()
  const { error } = turning
  if (against !== null) return <p className={styles.lead}>{t(`push.${against}`)}</p>
  return (
    <div className={styles.test}>
      <Button
        variant="filled"
        leftSection={<IconBellRinging size={16} stroke={1.75} />}
        loading={turning.isPending}
        onClick={() => turning.mutate()}
      >
        {t('push.turnOn')}
      </Button>
      {error && (
        <span role="alert" className={styles.bad}>
          {error instanceof NotTurnedOn ? t(`push.${error.why}`) : problemText(problemOf(error))}
        </span>
      )}
    </div>
  )
}

interface BrowserProps {
  id: number
  endpoint: string
  label: string
  isThis: boolean
}

function Browser({ id, endpoint, label, isThis }: BrowserProps) {
  const { t } = useTranslation('notifications')
  const client = useQueryClient()
  const problemText = useProblemText()
  const turning = useMutation({
    mutationFn: () => turnOff({ id, endpoint }),
    onSettled: () => browsersChanged(client),
  })
  const name = label || t('push.unnamed')
  return (
    <li className={styles.browser}>
      <span className={styles.channelName}>{name}</span>
      <span className={turning.error ? styles.bad : styles.good}>
        {turning.error ? problemText(problemOf(turning.error)) : isThis && t('push.this')}
      </span>
      <ActionIcon
        variant="subtle"
        aria-label={t('push.turnOff', { browser: name })}
        loading={turning.isPending}
        onClick={() => turning.mutate()}
      >
        <IconTrash size={18} stroke={1.75} />
      </ActionIcon>
    </li>
  )
}
