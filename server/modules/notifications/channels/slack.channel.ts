import type { Answered } from '../../../engines/outgoing/send.ts'
import type { Markup } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { ask, jsonOf, mustAccept } from './http.ts'
import { type Channel, envVar, type Message, NotAccepted, textField } from './port.ts'

const API = 'https://slack.com/api'
const MOST_PAGES = 10

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

interface SlackChannel {
  readonly id?: unknown
  readonly is_member?: unknown
}

/** The channels that the bot is a member of, archived ones left out. */
async function channelsOf(message: Message, headers: Record<string, string>): Promise<string[]> {
  const found: string[] = []
  let cursor = ''
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const query = new URLSearchParams({
      types: 'public_channel,private_channel',
      exclude_archived: 'true',
      limit: '200',
      cursor,
    })
    const url = `${API}/conversations.list?${query.toString()}`
    const { channels, response_metadata: more } = accepted(
      await ask(message, { method: 'GET', url, namedBy: 'vendor', headers }),
    )
    for (const { id, is_member: isMember } of (Array.isArray(channels) ? channels : []) as SlackChannel[])
      if (isMember === true && typeof id === 'string') found.push(id)
    cursor = String((more as { next_cursor?: unknown } | undefined)?.next_cursor ?? '')
    if (cursor === '') break
  }
  return found
}

async function post(message: Message): Promise<void> {
  const { config, notice } = message
  const { title, lines } = message.words(MRKDWN)
  const headers = { authorization: `Bearer ${String(config['access_token'])}` }
  const channels = await channelsOf(message, headers)
  if (channels.length === 0)
    throw new NotAccepted('the app was added to no channel of this workspace', { isFinal: true })
  const picture = await message.pictureUrl()
  const offers = buttonsOf(message)
    .map(({ text, url }) => `<${url}|${MRKDWN.escape(text)}>`)
    .join(' · ')
  const text = `${lines.join('\n').slice(0, 2000)}\n${offers}`
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text: `*${MRKDWN.escape(title)}*\n${text}`.slice(0, 3000) } },
    ...(picture
      ? [{ type: 'image', image_url: picture, alt_text: notice.print.filename.slice(0, 200) || title }]
      : []),
  ]
  const json = { ...headers, 'content-type': 'application/json; charset=utf-8' }
  const outcomes = await Promise.allSettled(
    channels.map(async (channel) => {
      const body = JSON.stringify({ channel, text: title, blocks })
      accepted(await ask(message, { url: `${API}/chat.postMessage`, namedBy: 'vendor', headers: json, body }))
    }),
  )
  // One that has it is enough: trying again would tell it twice.
  const [first] = outcomes
  if (outcomes.every(({ status }) => status === 'rejected') && first?.status === 'rejected')
    throw first.reason
}

/** A workspace that somebody has put the server's app into (docs/wire/channels.md 3). */
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
