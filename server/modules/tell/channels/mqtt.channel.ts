import { textOf } from '../../../lib/thrown.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomUUID, X509Certificate } from 'node:crypto'
import type { MqttClient } from 'mqtt'
import { openBroker, readBroker } from '../../../engines/outgoing/broker.ts'
import { AddressRefused } from '../../../engines/outgoing/guard.ts'
import { KINDS } from '../messages/index.ts'
import { hostOf, requireCallable } from './http.ts'
import { brokerOf, printerTopic, statusTopic } from './mqtt.topics.ts'
import {
  type Channel,
  type ChannelConfig,
  type Message,
  NotAccepted,
  refuse,
  say,
  textField,
} from './port.ts'

/** What the broker says of who we are; trying again with the same words changes nothing. */
const DENIED = new Set([0x86, 0x87, 0x8a, 0x8c])
const PICTURE_MOST = 1280

async function connected(message: Message): Promise<MqttClient> {
  try {
    return await openBroker(message.env, brokerOf(message.config), { clientId: `vigil-${randomUUID()}` })
  } catch (error) {
    const [said, { code }] = [textOf(error), fieldsOf(error)]
    const isFinal = error instanceof AddressRefused || (typeof code === 'number' && DENIED.has(code))
    const host = hostOf(message.config['broker_url'])
    const why = error instanceof AddressRefused ? say('mayNotBeCalled', { host }) : said
    throw new NotAccepted(why, { isFinal })
  }
}

/** Publishes and waits until the broker has it; raises `NotAccepted`. */
async function publish(client: MqttClient, topic: string, payload: string | Buffer, shown: object = {}) {
  try {
    const sent = await client.publishAsync(topic, payload, { qos: 1, ...shown })
    const code = Number(fieldsOf(sent)['reasonCode'] ?? 0)
    if (code >= 0x80) throw new NotAccepted(say('brokerRefused', { code }), { isFinal: DENIED.has(code) })
  } catch (error) {
    if (error instanceof NotAccepted) throw error
    const [said, { code }] = [textOf(error), fieldsOf(error)]
    throw new NotAccepted(said, { isFinal: typeof code === 'number' && DENIED.has(code) })
  }
}

/** The picture first, so that whoever hears of the event finds it. */
async function post(message: Message): Promise<void> {
  const { env, notice, user, links, key, now } = message
  const { kind, printer, print, isWarning, printPaused, heater } = notice
  const { title, lines } = message.words()
  const about = (what: string) => printerTopic(env, printer.id, what)
  const event = {
    event_type: kind,
    title,
    message: lines.join('\n'),
    printer: { id: printer.id, name: printer.name },
    print: { id: print.id, filename: print.filename },
    is_warning: isWarning,
    print_paused: printPaused,
    ...(heater ? { heater } : {}),
    ...(links ? { url: links.printer } : {}),
    key,
    at: new Date(now).toISOString(),
  }
  const picture = await message.picture(PICTURE_MOST)
  const client = await connected(message)
  try {
    if (picture) await publish(client, about('alert'), picture, { retain: true })
    const topic = kind === 'Test' ? statusTopic(env, user.id).replace(/status$/, 'test') : about('event')
    const expires = { properties: { messageExpiryInterval: KINDS[kind].worthMs / 1000 } }
    await publish(client, topic, JSON.stringify(event), expires)
  } finally {
    client.end(true)
  }
}

/** Something that may stay empty. */
const optional = (given: ChannelConfig, field: string, most: number) =>
  given[field] == null || given[field] === '' ? {} : { [field]: textField(given, field, most) }

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem))
  } catch {
    return false
  }
}

/** A broker of the house; printers appear in Home Assistant by themselves (docs/wire/tell.md 3, 9). */
export const channel: Channel = {
  name: 'mqtt',
  isForPrograms: true,
  async validateConfig(given, { env }) {
    const url = textField(given, 'broker_url', 500)
    if (readBroker(url) === null) throw refuse('broker_url', 'badBroker')
    await requireCallable(env, 'broker_url', url)
    const more = {
      ...optional(given, 'username', 200),
      ...optional(given, 'password', 500),
      ...optional(given, 'ca', 20_000),
      ...optional(given, 'discovery_prefix', 100),
    }
    if (more['ca'] !== undefined && !isCertificate(more['ca'])) throw refuse('ca', 'badCertificate')
    const prefix = more['discovery_prefix']
    if (prefix !== undefined && !/^[\w-]+(?:\/[\w-]+)*$/.test(prefix))
      throw refuse('discovery_prefix', 'badPrefix')
    return { broker_url: url, ...more }
  },
  destination: ({ broker_url: url }) => String(url),
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
