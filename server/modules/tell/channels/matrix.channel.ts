import { HTML } from '../messages/index.ts'
import { buttonLines, buttonsOf } from './buttons.ts'
import { addressField, ask, hostOf, jsonOf, mustAccept } from './http.ts'
import { type Channel, type Message, NotAccepted, refuse, say, textField } from './port.ts'

const tokenOf = ({ config }: Message) => ({ authorization: `Bearer ${String(config['access_token'])}` })
const baseOf = ({ config }: Message) => String(config['homeserver_url'])

/** Gives the home server the picture; its `mxc:` address. */
async function upload(message: Message, picture: Buffer): Promise<string> {
  const url = `${baseOf(message)}/_matrix/media/v3/upload?filename=print.jpg`
  const headers = { ...tokenOf(message), 'content-type': 'image/jpeg' }
  const answer = mustAccept(await ask(message, { url, namedBy: 'person', headers, body: picture }))
  const { content_uri: uri } = jsonOf(answer)
  if (typeof uri !== 'string') throw new NotAccepted(say('noPlace', { name: 'Matrix' }))
  return uri
}

/** Puts an event into the room, once for a transaction's name: the same at each try, so that none is said twice. */
async function put(message: Message, part: string, content: object): Promise<void> {
  const room = encodeURIComponent(String(message.config['room_id']))
  const name = encodeURIComponent(`${message.key}-${part}`)
  const url = `${baseOf(message)}/_matrix/client/v3/rooms/${room}/send/m.room.message/${name}`
  const headers = { ...tokenOf(message), 'content-type': 'application/json' }
  const body = JSON.stringify(content)
  const answer = await ask(message, { method: 'PUT', url, namedBy: 'person', headers, body })
  const { error, retry_after_ms: again } = jsonOf(answer)
  mustAccept(
    answer,
    typeof error === 'string' ? error : undefined,
    typeof again === 'number' ? again : undefined,
  )
}

async function post(message: Message): Promise<void> {
  const actions = buttonsOf(message)
  const plain = message.words()
  const html = message.words(HTML)
  const offers = actions.map(({ text, url }) => `<a href="${HTML.escape(url)}">${HTML.escape(text)}</a>`)
  await put(message, 'words', {
    msgtype: 'm.text',
    body: [...plain.lines, ...buttonLines(actions)].join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: [...html.lines, offers.join(' · ')].filter(Boolean).join('<br>'),
  })
  const picture = await message.picture(1280)
  if (picture === null) return
  try {
    const url = await upload(message, picture)
    const info = { mimetype: 'image/jpeg', size: picture.length }
    await put(message, 'picture', { msgtype: 'm.image', body: 'print.jpg', url, info })
  } catch (error) {
    // The room has the words: a server that takes no picture is no alert that was lost.
    if (!(error instanceof NotAccepted && error.isFinal)) throw error
  }
}

/** A room of Matrix, written to by an account of somebody's (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'matrix',
  async validateConfig(given, checking) {
    const server = await addressField(given, 'homeserver_url', checking)
    const room = textField(given, 'room_id', 255)
    if (!/^![^\s:]+(?::[^\s]+)?$/.test(room)) throw refuse('room_id', 'badRoom')
    return {
      homeserver_url: server.origin + server.pathname.replace(/\/$/, ''),
      room_id: room,
      access_token: textField(given, 'access_token', 500),
    }
  },
  destination: ({ homeserver_url: url }) => hostOf(url),
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
