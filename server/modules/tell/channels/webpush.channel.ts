import { createHash } from 'node:crypto'
import type { BrowserRow, PushKeys } from '../../people/devices/index.ts'
import { isAlert, KINDS } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { ask, mustAccept } from './http.ts'
import { type Channel, type Message, NotAccepted, say } from './port.ts'

/** Two buttons fit on what a browser shows. */
const BUTTONS_MOST = 2
/** An encrypted message has 4096 bytes, and a letter up to three. */
const TITLE_MOST = 100
const BODY_MOST = 400

/** Whom a push service writes to when we do wrong. */
function contactOf({ PUBLIC_URL: url, DEFAULT_FROM_EMAIL: from }: Message['env']): string {
  if (url?.startsWith('https:')) return url
  // `Vigil <vigil@example.org>`, or the address alone.
  const address = from?.split(/[<>]/)
  return `mailto:${address?.[1] ?? address?.[0] ?? 'vigil@example.org'}`
}

/** Without the host: the browser knows us by the one that it was turned on at. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** What the service worker shows (web/src/offline/worker.js). */
async function payloadOf(message: Message): Promise<string> {
  const { notice, user, links, key } = message
  const { title, lines } = message.words()
  const picture = await message.pictureUrl()
  const buttons = isAlert(notice) ? buttonsOf(message).slice(0, BUTTONS_MOST) : []
  return JSON.stringify({
    title: title.slice(0, TITLE_MOST),
    body: lines.join('\n').slice(0, BODY_MOST),
    tag: key,
    lang: user.language,
    brand: user.brand,
    isAlert: isAlert(notice),
    url: links ? pathOf(links.open) : null,
    picture: picture && pathOf(picture),
    buttons: buttons.map(({ text, url }) => ({ text, url: pathOf(url) })),
  })
}

/** Raises `NotAccepted`; a browser that is gone is forgotten. */
async function toOne(message: Message, to: BrowserRow, keys: PushKeys, payload: string): Promise<void> {
  const { notice, key, env } = message
  const { default: webpush } = await import('web-push')
  const { endpoint, headers, body } = webpush.generateRequestDetails(
    { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
    payload,
    {
      vapidDetails: { subject: contactOf(env), ...keys },
      TTL: KINDS[notice.kind].worthMs / 1000,
      urgency: isAlert(notice) ? 'high' : 'normal',
      // The same at each try: one that still waits at the push service is replaced.
      topic: createHash('sha256').update(key).digest('base64url').slice(0, 32),
    },
  )
  const written = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const answer = await ask(message, { url: endpoint, namedBy: 'person', headers: written, body })
  if (answer.status === 404 || answer.status === 410) await message.devices.forgetBrowser(to.id)
  mustAccept(answer)
}

/** To each browser of somebody; one that has it is enough. */
async function post(message: Message): Promise<void> {
  const [browsers, keys] = await Promise.all([message.devices.browsers(), message.devices.keys()])
  if (browsers.length === 0) throw new NotAccepted(say('noBrowser'), { isFinal: true })
  const payload = await payloadOf(message)
  const outcomes = await Promise.allSettled(browsers.map((to) => toOne(message, to, keys, payload)))
  const reasons = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  if (reasons.length < outcomes.length) return
  // Trying again is worth it while it is for one of them.
  throw reasons.find((reason) => !(reason instanceof NotAccepted && reason.isFinal)) ?? reasons[0]
}

/** Browsers in which somebody has turned it on: RFC 8030, 8188, 8291 and 8292 (docs/wire/tell.md 3, 5). */
export const channel: Channel = {
  name: 'webpush',
  validateConfig: () => ({}),
  // The services are named by browsers: one that somebody made up costs nobody else.
  destination: (_, { id }) => String(id),
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
