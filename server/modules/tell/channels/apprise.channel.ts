import { hostOf, postJson, requireCallable } from './http.ts'
import { type Channel, type ChannelConfig, type Message, refuse, textField } from './port.ts'
import { channel as discord } from './discord.channel.ts'
import { channel as gotify } from './gotify.channel.ts'
import { channel as ntfy } from './ntfy.channel.ts'
import { channel as pushbullet } from './pushbullet.channel.ts'
import { channel as pushover } from './pushover.channel.ts'
import { channel as telegram } from './telegram.channel.ts'

/** What an Apprise URL means: one of our channels with what the URL says of it. */
interface Meant {
  readonly by: Channel
  readonly config: ChannelConfig
  /** The account that it goes by, where the URL names its own. */
  readonly env?: Partial<Message['env']>
}

const TYPES: Readonly<Record<string, string | undefined>> = {
  PrintFailure: 'failure',
  NotWatching: 'warning',
  WatchingAgain: 'success',
  PrintDone: 'success',
  FilamentChange: 'warning',
}

/** Who calls, as `user:password` of a URL says. */
const basicOf = (named: unknown): Record<string, string> =>
  typeof named === 'string' && named !== ''
    ? { authorization: `Basic ${Buffer.from(decoded(named)).toString('base64')}` }
    : {}

/** A part of a URL as it was meant; one that is no code stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `json://`: a body that Apprise has made the form of. */
const json: Channel = {
  name: 'apprise-json',
  validateConfig: (given) => given,
  destination: ({ url }) => hostOf(url),
  async sendFailureAlert(message) {
    const { title, lines } = message.words()
    const picture = await message.picture(1280)
    const { kind } = message.notice
    const file = picture && {
      filename: 'print.jpg',
      base64: picture.toString('base64'),
      mimetype: 'image/jpeg',
    }
    await postJson(
      message,
      { url: String(message.config['url']), namedBy: 'person', headers: basicOf(message.config['basic']) },
      {
        version: '1.0',
        title,
        message: lines.join('\n'),
        attachments: file ? [file] : [],
        type: TYPES[kind] ?? 'info',
      },
    )
  },
}

type Parts = { host: string; path: readonly string[]; user: string; http: 'http' | 'https' }

/** The services that are understood, by the beginning of their URLs. */
const SERVICES: Readonly<Record<string, (parts: Parts) => Meant | null>> = {
  json: ({ host, path, user, http }) => ({
    by: json,
    config: { url: `${http}://${host}/${path.join('/')}`, basic: user },
  }),
  ntfy: ({ host, path, user, http }) => ({
    by: ntfy,
    // A topic alone is one of ntfy.sh.
    config: {
      ntfy_url: path.length === 0 ? `https://ntfy.sh/${host}` : `${http}://${host}/${path.join('/')}`,
      ...(user === '' ? {} : { access_token: decoded(user) }),
    },
  }),
  gotify: ({ host, path, http }) => {
    const token = path.at(-1)
    if (token === undefined) return null
    const base = [`${http}://${host}`, ...path.slice(0, -1)].join('/')
    return { by: gotify, config: { gotify_url: base, app_token: token } }
  },
  discord: ({ host, path: [token] }) =>
    token === undefined
      ? null
      : { by: discord, config: { webhook_url: `https://discord.com/api/webhooks/${host}/${token}` } },
  tgram: ({ host, path: [chat] }) =>
    chat === undefined
      ? null
      : { by: telegram, config: { chat_id: chat }, env: { TELEGRAM_BOT_TOKEN: decoded(host) } },
  pover: ({ host, user }) =>
    user === '' ? null : { by: pushover, config: { user_key: user }, env: { PUSHOVER_APP_TOKEN: host } },
  pbul: ({ host }) => ({ by: pushbullet, config: { access_token: host } }),
}
const SECURE: Readonly<Record<string, string>> = { jsons: 'json', ntfys: 'ntfy', gotifys: 'gotify' }

/** Reads an Apprise URL; null when it is none, or of a service that is not understood. */
function meantBy(url: string): Meant | null {
  const [, scheme = '', user = '', host = '', rest = ''] =
    /^([a-z]+):\/\/(?:([^@/?\s]+)@)?([^/?\s]+)\/?([^?\s]*)/i.exec(url) ?? []
  const name = scheme.toLowerCase()
  const service = SERVICES[SECURE[name] ?? name]
  const path = rest.split('/').filter(Boolean)
  return host === ''
    ? null
    : (service?.({ host, path, user, http: name in SECURE ? 'https' : 'http' }) ?? null)
}

async function post(message: Message): Promise<void> {
  const meant = meantBy(String(message.config['apprise_url']))
  if (meant === null) return
  const env = { ...message.env, ...meant.env }
  await meant.by.sendFailureAlert?.({ ...message, config: meant.config, env })
}

/** One URL of Apprise's for one service (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'apprise',
  async validateConfig(given, checking) {
    const url = textField(given, 'apprise_url', 2000)
    const meant = meantBy(url)
    if (meant === null) throw refuse('apprise_url', 'badApprise')
    const { url: named = meant.config['ntfy_url'] ?? meant.config['gotify_url'] } = meant.config
    if (named !== undefined) await requireCallable(checking.env, 'apprise_url', String(named))
    try {
      await meant.by.validateConfig(meant.config, checking)
    } catch {
      throw refuse('apprise_url', 'badApprise')
    }
    return { apprise_url: url }
  },
  destination(config, user) {
    const meant = meantBy(String(config['apprise_url']))
    return meant?.by.destination(meant.config, user) ?? ''
  },
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
