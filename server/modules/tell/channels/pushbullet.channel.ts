import { NoAnswer } from '../../../engines/outgoing/send.ts'
import { buttonLines, buttonsOf } from './buttons.ts'
import { fileOf, jsonOf, mustAccept, postForm, postJson } from './http.ts'
import { type Channel, type Message, NotAccepted, refuse, say, textField } from './port.ts'

const API = 'https://api.pushbullet.com/v2'

const tokenOf = ({ config }: Pick<Message, 'config'>) => ({ 'access-token': String(config['access_token']) })

/** Gives Pushbullet the picture, as its server can't come and fetch it; its address there. */
async function upload(message: Message, picture: Buffer): Promise<string> {
  const file = { file_name: 'print.jpg', file_type: 'image/jpeg' }
  const call = { url: `${API}/upload-request`, namedBy: 'vendor', headers: tokenOf(message) } as const
  const { upload_url: uploadUrl, file_url: fileUrl } = jsonOf(await postJson(message, call, file))
  if (typeof uploadUrl !== 'string' || typeof fileUrl !== 'string')
    throw new NotAccepted(say('noPlace', { name: 'Pushbullet' }))
  const form = new FormData()
  form.set('file', fileOf(picture), 'print.jpg')
  mustAccept(await postForm(message, { url: uploadUrl, namedBy: 'person' }, form))
  return fileUrl
}

async function post(message: Message): Promise<void> {
  const { title, lines } = message.words()
  const picture = await message.picture(1280)
  const words = { title, body: [...lines, ...buttonLines(buttonsOf(message))].join('\n') }
  const link = message.links ? { url: message.links.open } : {}
  const push = picture
    ? {
        type: 'file',
        file_name: 'print.jpg',
        file_type: 'image/jpeg',
        file_url: await upload(message, picture),
        ...words,
        ...link,
      }
    : { type: message.links ? 'link' : 'note', ...words, ...link }
  // The same word at each try: Pushbullet shows such a push once.
  const call = { url: `${API}/pushes`, namedBy: 'vendor', headers: tokenOf(message) } as const
  await postJson(message, call, { ...push, guid: message.key })
}

/** Somebody's own account there (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'pushbullet',
  async validateConfig(given, { http }) {
    const token = textField(given, 'access_token', 200)
    if (!/^[\w.-]+$/.test(token)) throw refuse('access_token', 'badToken')
    const asked = { method: 'GET', url: `${API}/users/me`, namedBy: 'vendor' } as const
    try {
      const answer = await http({ ...asked, headers: { 'access-token': token } })
      if (answer.status === 401 || answer.status === 403) throw refuse('access_token', 'badToken')
      if (answer.status !== 200) throw refuse('access_token', 'tokenUnchecked')
    } catch (error) {
      throw error instanceof NoAnswer ? refuse('access_token', 'tokenUnchecked') : error
    }
    return { access_token: token }
  },
  destination: () => 'api.pushbullet.com',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
