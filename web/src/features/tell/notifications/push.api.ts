import { browserName } from '@vigil/contract/browser.ts'
import { addSubscription, listSubscriptions, removeSubscription } from '@vigil/contract/people/devices.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownSubscription } from '../../../lib/push.ts'
import { reachKey } from '../../../printer/reach.api.ts'
import { settingsQuery } from './notifications.api.ts'

/** The browsers that the server knows, and the address of this one, if it is turned on. */
export const browsersQuery = queryOptions({
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
export class NotTurnedOn extends Error {
  readonly why: 'denied' | 'service'
  constructor(why: 'denied' | 'service') {
    super(why)
    this.why = why
  }
}

/** Asks for permission, subscribes, and tells the server. Raises `NotTurnedOn`. */
export async function turnOn(publicKey: string): Promise<void> {
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
export async function turnOff(browser: { id: number; endpoint: string }): Promise<void> {
  await call(removeSubscription, { params: { id: browser.id } })
  const own = await ownSubscription()
  if (own?.endpoint === browser.endpoint) await own.unsubscribe()
}

/** The server makes the channel with the first browser, and takes it away with the last. */
export async function browsersChanged(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: browsersQuery.queryKey }),
    client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
    client.invalidateQueries({ queryKey: reachKey }),
  ])
}
