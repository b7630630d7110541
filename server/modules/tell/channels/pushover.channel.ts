import { HTML, isAlert } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { fileOf, jsonOf, mustAccept, postForm } from './http.ts'
import { type Channel, envVar, type Message, refuse, textField } from './port.ts'

const TITLE_MOST = 250
const MESSAGE_MOST = 1024

async function post(message: Message): Promise<void> {
  const { config, env, notice, links, say } = message
  const { title, lines } = message.words(HTML)
  const picture = await message.picture(1280)
  const form = new FormData()
  form.set('token', env.PUSHOVER_APP_TOKEN ?? '')
  form.set('user', String(config['user_key']))
  form.set('title', title.slice(0, TITLE_MOST))
  const offers = buttonsOf(message).map(({ text, url }) => `<a href="${HTML.escape(url)}">${text}</a>`)
  const [whole, short] = [[...lines, ...offers].join('\n'), lines.join('\n')]
  const html = [whole, short].find((words) => words.length <= MESSAGE_MOST)
  // Cut HTML is none: what is too long goes as letters alone.
  form.set('message', html ?? message.words().lines.join('\n').slice(0, MESSAGE_MOST))
  if (html !== undefined) form.set('html', '1')
  // Above the quiet hours of the phone.
  form.set('priority', isAlert(notice) ? '1' : '0')
  if (links) {
    form.set('url', links.open)
    form.set('url_title', say(links.alert ? 'look' : 'openPrinter'))
  }
  if (picture) form.set('attachment', fileOf(picture), 'print.jpg')
  const url = 'https://api.pushover.net/1/messages.json'
  const answer = await postForm(message, { url, namedBy: 'vendor' }, form)
  const { errors } = jsonOf(answer)
  mustAccept(answer, Array.isArray(errors) ? errors.join(', ') : undefined)
}

/** An application of the server's that writes to somebody's devices (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'pushover',
  envVars: (env) => ({ PUSHOVER_APP_TOKEN: envVar(env.PUSHOVER_APP_TOKEN) }),
  validateConfig(given) {
    const key = textField(given, 'user_key', 100)
    if (!/^[A-Za-z0-9]{30}$/.test(key)) throw refuse('user_key', 'badUserKey')
    return { user_key: key }
  },
  destination: () => 'api.pushover.net',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
