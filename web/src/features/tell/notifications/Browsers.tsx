import { ActionIcon, Button } from '@mantine/core'
import { IconBellRinging, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient, queryOptions, type QueryClient } from '@tanstack/react-query'
import { browserName } from '@vigil/contract/browser.ts'
import { addSubscription, listSubscriptions, removeSubscription } from '@vigil/contract/people/devices.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { hindrance, ownSubscription } from '../../../lib/push.ts'
import { reachKey } from '../../../printer/reach.api.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { settingsQuery } from './notifications.api.ts'
import styles from './Notifications.module.css'

/** The browsers that the server knows, and the address of this one, if it is turned on. */
const browsersQuery = queryOptions({
  queryKey: ['notifications', 'browsers'] as const,
  queryFn: async () => {
    const [known, own] = await Promise.all([call(listSubscriptions), ownSubscription()])
    return { ...known, ownEndpoint: own?.endpoint ?? null }
  },
  staleTime: 0,
})

const bytesOf = (word: string) =>
  Uint8Array.from(atob(word.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))

/** What a browser said when it was asked; `denied`: its owner refused, `service`: it has no push service. */
class NotTurnedOn extends Error {
  readonly why: 'denied' | 'service'
  constructor(why: 'denied' | 'service') {
    super(why)
    this.why = why
  }
}

/** Asks for permission, subscribes, and tells the server. Raises `NotTurnedOn`. */
async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotTurnedOn('denied')
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) }
  const subscription = await subscribe(pushManager, options)
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await call(addSubscription, {
    body: {
      endpoint,
      keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
      label: browserName(navigator.userAgent),
    },
  })
}

/** One that was made with another server's key is of no use. */
async function subscribe(
  manager: PushManager,
  options: PushSubscriptionOptionsInit,
): Promise<PushSubscription> {
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const before = await manager.getSubscription()
    if (before === null) throw error instanceof DOMException ? new NotTurnedOn('service') : error
    await before.unsubscribe()
    return await manager.subscribe(options)
  }
}

/** Reaches a browser no more; this one forgets it, too. */
async function turnOff(browser: { id: number; endpoint: string }): Promise<void> {
  await call(removeSubscription, { params: { id: browser.id } })
  const own = await ownSubscription()
  if (own?.endpoint === browser.endpoint) await own.unsubscribe()
}

/** The server makes the channel with the first browser, and takes it away with the last. */
async function browsersChanged(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: browsersQuery.queryKey }),
    client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
    client.invalidateQueries({ queryKey: reachKey }),
  ])
}

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
