import { isAlert } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { addressField, ask, hostOf, isOfForm, mustAccept } from './http.ts'
import { type Channel, type Message, refuse, textField } from './port.ts'

/** Header values are Latin letters on the wire: everything else as RFC 2047 has it, which ntfy reads. */
const header = (words: string) =>
  /^[\u0020-\u007e]*$/.test(words) ? words : `=?UTF-8?B?${Buffer.from(words).toString('base64')}?=`

/** More are refused. */
const ACTIONS_MOST = 3
/** A longer message would become a file. */
const BYTES_MOST = 4000

const inBytes = (words: string) =>
  Buffer.from(words)
    .subarray(0, BYTES_MOST)
    .toString()
    .replace(/\uFFFD$/, '')

/** An access token, or `user:password`. */
const allowedBy = (token: string) =>
  token.includes(':') ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`

/** A topic's address: the picture is the body and the words are headers, or the words are the body. */
async function publish(message: Message): Promise<void> {
  const { config, notice, links, key } = message
  const { title, lines } = message.words()
  const picture = await message.picture(1280)
  const actions = buttonsOf(message)
    .slice(0, ACTIONS_MOST)
    .map(({ text, url }) => ({ action: 'view', label: text, url }))
  const token = String(config['access_token'] ?? '')
  const plainWords = inBytes(lines.join('\n'))
  const headers = {
    title: header(title),
    priority: isAlert(notice) ? (notice.isWarning ? '4' : '5') : '3',
    tags: isAlert(notice) ? 'rotating_light' : 'printer',
    'x-sequence-id': key.replaceAll(/[^\w-]/g, '-').slice(0, 64),
    ...(links ? { click: links.open } : {}),
    ...(actions.length > 0 ? { actions: header(JSON.stringify(actions)) } : {}),
    ...(token === '' ? {} : { authorization: allowedBy(token) }),
    ...(picture
      ? { filename: 'print.jpg', message: header(inBytes(lines.join(' '))), 'content-type': 'image/jpeg' }
      : { 'content-type': 'text/plain; charset=utf-8' }),
  }
  const url = String(config['ntfy_url'])
  const answer = await ask(message, {
    method: picture ? 'PUT' : 'POST',
    url,
    namedBy: 'person',
    headers,
    body: picture ?? plainWords,
  })
  // A server that keeps no attachments says so, or that it has enough of them for today: the words are worth more than the picture.
  if (picture && (isOfForm(answer) || answer.status === 429)) {
    const { filename: _, message: __, ...rest } = headers as Record<string, string>
    const plain = { ...rest, 'content-type': 'text/plain; charset=utf-8' }
    mustAccept(await ask(message, { url, namedBy: 'person', headers: plain, body: plainWords }))
    return
  }
  mustAccept(answer)
}

/** ntfy, of everybody or of the house: `https://ntfy.sh/my-topic` (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'ntfy',
  async validateConfig(given, checking) {
    const url = await addressField(given, 'ntfy_url', checking)
    if (!/^\/(?:[\w-]+\/)*[\w-]{1,64}$/.test(url.pathname)) throw refuse('ntfy_url', 'badTopic')
    const token = given['access_token']
    return {
      ntfy_url: url.origin + url.pathname,
      ...(token == null || token === '' ? {} : { access_token: textField(given, 'access_token', 200) }),
    }
  },
  destination: ({ ntfy_url: url }) => hostOf(url),
  sendFailureAlert: publish,
  sendPrinterNotification: publish,
  sendTestMessage: publish,
}
