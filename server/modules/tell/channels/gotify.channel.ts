import { isAlert } from '../messages/index.ts'
import { buttonLines, buttonsOf } from './buttons.ts'
import { addressField, hostOf, postJson } from './http.ts'
import { type Channel, type Message, textField } from './port.ts'

async function post(message: Message): Promise<void> {
  const { config, notice, links } = message
  const { title, lines } = message.words()
  const picture = await message.pictureUrl()
  const notification = {
    ...(links ? { click: { url: links.open } } : {}),
    ...(picture ? { bigImageUrl: picture } : {}),
  }
  const headers = { 'x-gotify-key': String(config['app_token']) }
  await postJson(
    message,
    { url: `${String(config['gotify_url'])}/message`, namedBy: 'person', headers },
    {
      title,
      message: [...lines, ...buttonLines(buttonsOf(message))].join('\n'),
      priority: isAlert(notice) ? 8 : 4,
      extras: { 'client::notification': notification },
    },
  )
}

/** A Gotify of somebody's own (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'gotify',
  async validateConfig(given, checking) {
    const url = await addressField(given, 'gotify_url', checking)
    return {
      gotify_url: url.origin + url.pathname.replace(/\/$/, ''),
      app_token: textField(given, 'app_token', 200),
    }
  },
  destination: ({ gotify_url: url }) => hostOf(url),
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
