import { fieldsOf } from '@vigil/contract/fields.ts'
import type { Answered } from '../../../engines/outgoing/send.ts'
import type { Markup } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { ask, jsonOf, mustAccept } from './http.ts'
import { type Channel, envVar, type Message, NotAccepted, say, textField } from './port.ts'

const API = 'https://slack.com/api'
const MOST_PAGES = 10
const SECTION_MOST = 3000
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

type Headers = Readonly<Record<string, string>>

interface Told {
  readonly title: string
  readonly section: object
  readonly image: object | null
}

/** Slack's own Markdown; three signs alone are special. */
const MRKDWN: Markup = {
  escape: (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  bold: (words) => `*${words}*`,
  italic: (words) => `_${words}_`,
  underline: (words) => words,
}

/** What may go away by itself; everything else Slack says is for good. */
const PASSING = new Set([
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

/** Slack answers 200 to nearly everything, and says in JSON whether it did. */
function accepted(answer: Answered): Record<string, unknown> {
  const said = jsonOf(mustAccept(answer))
  if (said['ok'] === true) return said
  const error = String(said['error'] ?? 'no answer')
  throw new NotAccepted(error, { isFinal: !PASSING.has(error) })
}

/** The channels that the bot is a member of, archived ones left out. */
async function channelsOf(message: Message, headers: Headers): Promise<string[]> {
  const found: string[] = []
  let cursor = ''
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const query = new URLSearchParams({
      types: 'public_channel,private_channel',
      exclude_archived: 'true',
      limit: '200',
      cursor,
    })
    const url = `${API}/users.conversations?${query.toString()}`
    const { channels, response_metadata: more } = accepted(
      await ask(message, { method: 'GET', url, namedBy: 'vendor', headers }),
    )
    for (const { id } of Array.isArray(channels) ? channels.map(fieldsOf) : [])
      if (typeof id === 'string') found.push(id)
    cursor = String(fieldsOf(more)['next_cursor'] ?? '')
    if (cursor === '') break
  }
  return found
}

/** Gives Slack the picture itself, for one channel: its servers need not reach ours. */
async function upload(message: Message, headers: Headers, channel: string, picture: Buffer): Promise<void> {
  const query = new URLSearchParams({ filename: 'print.jpg', length: String(picture.length) })
  const url = `${API}/files.getUploadURLExternal?${query.toString()}`
  const { upload_url: to, file_id: id } = accepted(
    await ask(message, { method: 'GET', url, namedBy: 'vendor', headers }),
  )
  if (typeof to !== 'string' || typeof id !== 'string')
    throw new NotAccepted(say('noPlace', { name: 'Slack' }))
  const type = { 'content-type': 'image/jpeg' }
  mustAccept(await ask(message, { url: to, namedBy: 'person', headers: type, body: picture }))
  const body = JSON.stringify({ files: [{ id, title: 'print.jpg' }], channel_id: channel })
  accepted(
    await ask(message, {
      url: `${API}/files.completeUploadExternal`,
      namedBy: 'vendor',
      headers: { ...headers, ...JSON_TYPE },
      body,
    }),
  )
}

/** The words with the picture's address; where Slack cannot fetch that, the words, and the picture after them. */
async function tell(message: Message, headers: Headers, channel: string, words: Told): Promise<void> {
  const tell = async (blocks: readonly object[]) =>
    await ask(message, {
      url: `${API}/chat.postMessage`,
      namedBy: 'vendor',
      headers: { ...headers, ...JSON_TYPE },
      body: JSON.stringify({ channel, text: words.title, blocks }),
    })
  if (words.image !== null) {
    const answer = await tell([words.section, words.image])
    if (jsonOf(answer)['error'] !== 'invalid_blocks') return void accepted(answer)
  }
  accepted(await tell([words.section]))
  const picture = await message.picture(1280)
  // They have the words: an app of before that may not send files, or a picture that fails, costs nothing more.
  if (picture !== null) await upload(message, headers, channel, picture).catch(noPicture)
}

function noPicture(error: unknown): void {
  if (!(error instanceof NotAccepted)) throw error
}

async function post(message: Message): Promise<void> {
  const { config, notice } = message
  const { title, lines } = message.words(MRKDWN)
  const headers = { authorization: `Bearer ${String(config['access_token'])}` }
  const channels = await channelsOf(message, headers)
  if (channels.length === 0) throw new NotAccepted(say('slackNowhere'), { isFinal: true })
  const picture = await message.pictureUrl()
  const offers = buttonsOf(message)
    .map(({ text, url }) => `<${url}|${MRKDWN.escape(text)}>`)
    .join(' · ')
  const text = `*${MRKDWN.escape(title)}*\n${lines.join('\n').slice(0, 2000)}\n${offers}`
  const words: Told = {
    title,
    section: { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, SECTION_MOST) } },
    image: picture?.startsWith('https:')
      ? { type: 'image', image_url: picture, alt_text: notice.print.filename.slice(0, 200) || title }
      : null,
  }
  const outcomes = await Promise.allSettled(channels.map((channel) => tell(message, headers, channel, words)))
  // One that has it is enough: trying again would tell it twice.
  const [first] = outcomes
  if (outcomes.every(({ status }) => status === 'rejected') && first?.status === 'rejected')
    throw first.reason
}

/** A workspace that somebody has put the server's app into (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'slack',
  envVars: (env) => ({
    SLACK_CLIENT_ID: envVar(env.SLACK_CLIENT_ID, { isShown: true }),
    SLACK_CLIENT_SECRET: envVar(env.SLACK_CLIENT_SECRET),
  }),
  validateConfig: (given) => ({ access_token: textField(given, 'access_token', 500) }),
  destination: () => 'slack.com',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
