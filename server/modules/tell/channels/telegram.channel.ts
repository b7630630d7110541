import { fieldsOf } from '@vigil/contract/fields.ts'
import type { Answered } from '../../../engines/outgoing/send.ts'
import { HTML, type Markup, PLAIN } from '../messages/index.ts'
import { type Button, buttonsOf } from './buttons.ts'
import { ask, fileOf, isOfForm, jsonOf, mustAccept } from './http.ts'
import { type Channel, envVar, type Message, refuse, textField } from './port.ts'

const API = 'https://api.telegram.org'
/** Letters below a picture, and of a message without one. */
const CAPTION_MOST = 1024
const TEXT_MOST = 4096

/** What Telegram says of how it could be done. */
const hintsOf = (answer: Answered) => fieldsOf(jsonOf(answer)['parameters'])

function accepted(answer: Answered): void {
  const { description } = jsonOf(answer)
  const { retry_after: seconds } = hintsOf(answer)
  mustAccept(
    answer,
    typeof description === 'string' ? description : undefined,
    typeof seconds === 'number' ? seconds * 1000 : null,
  )
}

/** What one call says, in one of its forms. */
interface Form {
  readonly words: string
  readonly isHtml: boolean
  readonly picture: Buffer | null
  readonly buttons: readonly Button[]
}

async function call(message: Message, chat: string, { words, isHtml, picture, buttons }: Form) {
  const form = new FormData()
  form.set('chat_id', chat)
  if (isHtml) form.set('parse_mode', 'HTML')
  // One below the other.
  const rows = buttons.map((button) => [button])
  if (rows.length > 0) form.set('reply_markup', JSON.stringify({ inline_keyboard: rows }))
  if (picture === null) form.set('text', words)
  else {
    form.set('caption', words)
    form.set('photo', fileOf(picture), 'print.jpg')
  }
  const encoded = new Response(form)
  return await ask(message, {
    url: `${API}/bot${message.env.TELEGRAM_BOT_TOKEN ?? ''}/${picture === null ? 'sendMessage' : 'sendPhoto'}`,
    namedBy: 'vendor',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
    timeoutMs: 10_000,
  })
}

/** A group that became a supergroup has another number, which Telegram names. */
function movedTo(answer: Answered): string | null {
  const { migrate_to_chat_id: chat } = hintsOf(answer)
  return typeof chat === 'number' || typeof chat === 'string' ? String(chat) : null
}

async function post(message: Message): Promise<void> {
  const { user, say } = message
  const whole = (markup?: Markup) => {
    const greeting =
      user.firstName === '' ? [] : [say('greeting', { name: (markup ?? PLAIN).escape(user.firstName) })]
    return [...greeting, ...message.words(markup).lines].join('\n')
  }
  const html = whole(HTML)
  // Cut HTML is none: what is too long goes as letters alone.
  const isHtml = html.length <= TEXT_MOST
  const words = isHtml ? html : whole().slice(0, TEXT_MOST)
  const photo = await message.picture(1280)
  const picture = words.length <= CAPTION_MOST ? photo : null
  const buttons = buttonsOf(message)
  // Telegram refuses buttons that lead to no public address, and with them the message.
  const isPublic = buttons.every(({ url }) => isReachable(url))
  const first = { words, isHtml, picture, buttons: isPublic ? buttons : [] }
  let chat = String(message.config['chat_id'])
  let answer = await call(message, chat, first)
  const moved = movedTo(answer)
  if (moved !== null) {
    chat = moved
    answer = await call(message, chat, first)
  }
  // A picture or a button that it does not take must not cost the words.
  const isPlain = picture === null && first.buttons.length === 0
  if (isOfForm(answer) && !isPlain && !isNobody(answer))
    answer = await call(message, chat, { words, isHtml, picture: null, buttons: [] })
  accepted(answer)
}

/** There is nobody behind this chat: other words change nothing. */
const isNobody = (answer: Answered) => /chat not found|user not found|peer_id_invalid/i.test(answer.text)

const isReachable = (address: string) => {
  const { hostname } = new URL(address)
  return hostname.includes('.') || hostname.includes(':')
}

/** A bot of the server's that writes to a chat (docs/wire/tell.md 3). */
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
