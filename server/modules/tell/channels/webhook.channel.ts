import { createHmac } from 'node:crypto'
import type { UserId } from '../../../lib/id.ts'
import { currentKey, knownKeys } from '../../../lib/keyring.ts'
import { addressField, hostOf, postJson } from './http.ts'
import type { Channel, Message } from './port.ts'

/** Seconds since 1970, as the old server wrote them; '' for what has not been. */
const seconds = (at: number | null) => (at === null ? '' : at / 1000)

const named = ({ notice: { printer, print } }: Message) => ({
  printer: { id: printer.id, name: printer.name },
  print: {
    id: print.id,
    filename: print.filename,
    started_at: seconds(print.startedAt),
    ended_at: seconds(print.endedAt),
  },
})

/**
 * Signed as the Standard Webhooks say, by a secret that each address has: whoever receives can tell that it is from us, and a
 * second copy, or an old one, by its id and its time (docs/wire/tell.md 2).
 */
async function post(message: Message, body: object): Promise<void> {
  const { config, env, key, user } = message
  const url = String(config['custom_webhook_URL'])
  const text = JSON.stringify(body)
  const time = String(Math.floor(message.now / 1000))
  const signedBy = (secret: Buffer) =>
    createHmac('sha256', secret).update(`${key}.${time}.${text}`).digest('base64')
  // While keys overlap, by each: whoever receives may still have the secret before.
  const signatures = knownKeys(env).map(({ secret }) => `v1,${signedBy(webhookSecret(secret, user.id))}`)
  const headers = {
    'webhook-id': key,
    'webhook-timestamp': time,
    'webhook-signature': signatures.join(' '),
    'idempotency-key': key,
  }
  await postJson(message, { url, namedBy: 'person', headers }, body)
}

/** The secret of a person's webhooks: they check signatures with it. */
const webhookSecret = (secret: string, userId: UserId): Buffer =>
  createHmac('sha256', secret).update(`webhook:${userId}`).digest()

export const channel: Channel = {
  name: 'webhook',
  isForPrograms: true,
  async validateConfig(given, checking) {
    const { href } = await addressField(given, 'custom_webhook_URL', checking)
    return { custom_webhook_URL: href }
  },
  shown: (config, { env, userId }) => ({
    ...config,
    signing_secret: `whsec_${webhookSecret(currentKey(env).secret, userId).toString('base64')}`,
  }),
  destination: ({ custom_webhook_URL: url }) => hostOf(url),
  async sendFailureAlert(message) {
    const { isWarning, printPaused } = message.notice
    await post(message, {
      event: { type: 'PrintFailure', is_warning: isWarning, print_paused: printPaused },
      ...named(message),
      img_url: (await message.pictureUrl()) ?? '',
    })
  },
  async sendPrinterNotification(message) {
    const { kind, heater, code, firstLayer } = message.notice
    await post(message, {
      event: { type: kind },
      ...named(message),
      img_url: await message.pictureUrl(),
      ...(kind === 'NotWatching' && { extra: { why: code } }),
      ...(firstLayer && { extra: firstLayer }),
      ...(heater && {
        extra: {
          heater_name: heater.name,
          heater_actual: heater.actual,
          heater_target: heater.target,
          heater_offset: heater.offset,
        },
      }),
    })
  },
  sendTestMessage: (message) => post(message, { event: 'TestEvent' }),
}
