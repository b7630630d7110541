import type { Answered } from '../../../engines/outgoing/send.ts'
import { HTML } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { ask, fileOf, jsonOf, mustAccept } from './http.ts'
import { type Channel, envVar, type Message, refuse, textField } from './port.ts'

const API = 'https://api.telegram.org'
/** A picture's caption and its longest edge, as Telegram has them. */
const CAPTION_MOST = 1024

/** Telegram says in JSON when it may be asked again. */
function accepted(answer: Answered): void {
  const { description, parameters } = jsonOf(answer)
  const seconds = (parameters as { retry_after?: unknown } | undefined)?.retry_after
  mustAccept(
    answer,
    typeof description === 'string' ? description : undefined,
    typeof seconds === 'number' ? seconds * 1000 : null,
  )
}

async function post(message: Message): Promise<void> {
  const { config, env, user, say } = message
  const { lines } = message.words(HTML)
  const greeting = user.firstName === '' ? [] : [say('greeting', { name: HTML.escape(user.firstName) })]
  const words = [...greeting, ...lines].join('\n')
  const buttons = buttonsOf(message)
  // Telegram refuses buttons that lead to no public address, and with them the message.
  const isPublic = buttons.every(({ url }) => isReachable(url))
  // One below the other.
  const rows = buttons.map((button) => [button])
  const common = {
    chat_id: String(config['chat_id']),
    parse_mode: 'HTML',
    ...(rows.length > 0 && isPublic ? { reply_markup: JSON.stringify({ inline_keyboard: rows }) } : {}),
  }
  const bot = `${API}/bot${env.TELEGRAM_BOT_TOKEN ?? ''}`
  const picture = await message.picture(1280)
  const form = new FormData()
  for (const [name, value] of Object.entries(common)) form.set(name, value)
  if (picture === null || words.length > CAPTION_MOST) form.set('text', words.slice(0, 4000))
  else {
    form.set('caption', words)
    form.set('photo', fileOf(picture), 'print.jpg')
  }
  const method = form.has('photo') ? 'sendPhoto' : 'sendMessage'
  const encoded = new Response(form)
  const answer = await ask(message, {
    url: `${bot}/${method}`,
    namedBy: 'vendor',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
    timeoutMs: 10_000,
  })
  accepted(answer)
}

const isReachable = (address: string) => {
  const { hostname } = new URL(address)
  return hostname.includes('.') || hostname.includes(':')
}

/** A bot of the server's that writes to a chat (docs/wire/channels.md 3). */
export const channel: Channel = {
  name: 'telegram',
  envVars: (env) => ({
    TELEGRAM_BOT_TOKEN: envVar(env.TELEGRAM_BOT_TOKEN),
    TELEGRAM_BOT_NAME: envVar(env.TELEGRAM_BOT_NAME, { isRequired: false, isShown: true }),
  }),
  validateConfig(given) {
    const chat = textField(given, 'chat_id', 64)
    if (!/^(?:-?\d{1,20}|@\w{4,32})$/.test(chat)) throw refuse('chat_id', 'badChatId')
    return { chat_id: chat }
  },
  destination: () => 'api.telegram.org',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
