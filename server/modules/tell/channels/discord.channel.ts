import type { Markup } from '../messages/index.ts'
import { buttonsOf } from './buttons.ts'
import { addressField, fileOf, jsonOf, mustAccept, postForm, postJson } from './http.ts'
import { type Channel, type Message, refuse } from './port.ts'

const PURPLE = 0x9863f4
const YELLOW = 0xeed202
const RED = 0xcf142b
const GREEN = 0x33a532

/** Discord's Markdown; a name that holds its signs shows them. */
const MARKDOWN: Markup = {
  escape: (words) => words.replaceAll(/[\\*_~`|>[\]()#@<-]/g, String.raw`\$&`),
  bold: (words) => `**${words}**`,
  italic: (words) => `*${words}*`,
  underline: (words) => `__${words}__`,
}

function colorOf({ kind, isWarning, printPaused }: Message['notice']): number {
  if (kind === 'PrintFailure') return isWarning && !printPaused ? YELLOW : RED
  if (kind === 'PrintCancelled') return RED
  if (kind === 'FilamentChange' || kind === 'NotWatching') return YELLOW
  return kind === 'PrintDone' || kind === 'WatchingAgain' ? GREEN : PURPLE
}

/** Asks for an answer, which tells what became of the message. */
const asked = (address: string) => {
  const url = new URL(address)
  url.searchParams.set('wait', 'true')
  return url.href
}

async function post(message: Message): Promise<void> {
  const { config, notice, user, links } = message
  const { title, lines } = message.words(MARKDOWN)
  const picture = await message.picture(1280)
  const offers = buttonsOf(message)
    .map(({ text, url }) => `[${text}](${url})`)
    .join(' · ')
  const embed = {
    title: (notice.printer.name || title).slice(0, 256),
    description: [lines.join('\n').slice(0, 3000), offers].filter(Boolean).join('\n\n'),
    color: colorOf(notice),
    author: { name: title },
    ...(links ? { url: links.open } : {}),
    // The picture comes with the message: nobody's house need be open for Discord to fetch it.
    ...(picture ? { image: { url: 'attachment://print.jpg' } } : {}),
  }
  const body = { username: user.brandName, embeds: [embed], allowed_mentions: { parse: [] } }
  const url = asked(String(config['webhook_url']))
  if (picture === null) {
    await postJson(message, { url, namedBy: 'vendor' }, body)
    return
  }
  const form = new FormData()
  form.set('payload_json', JSON.stringify(body))
  form.set('files[0]', fileOf(picture), 'print.jpg')
  const answer = await postForm(message, { url, namedBy: 'vendor' }, form)
  const { retry_after: seconds } = jsonOf(answer)
  mustAccept(answer, undefined, typeof seconds === 'number' ? seconds * 1000 : null)
}

const HOSTS = new Set(['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'])

/** A webhook that somebody has made for a channel of theirs (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'discord',
  async validateConfig(given, checking) {
    const url = await addressField(given, 'webhook_url', checking)
    if (
      url.protocol !== 'https:' ||
      !HOSTS.has(url.host) ||
      !/^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+$/.test(url.pathname)
    )
      throw refuse('webhook_url', 'badDiscord')
    // One thread of its channel, as the vendor's address names it.
    const thread = url.searchParams.get('thread_id') ?? ''
    const query = /^\d{1,20}$/.test(thread) ? `?thread_id=${thread}` : ''
    return { webhook_url: url.origin + url.pathname + query }
  },
  destination: () => 'discord.com',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
