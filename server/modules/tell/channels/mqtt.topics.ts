import { createHash } from 'node:crypto'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Config } from '../../../config.ts'
import type { Broker } from '../../../engines/outgoing/broker.ts'
import type { ChannelConfig } from './port.ts'

/** Several servers may write to one broker: each has a word of its own, that tells nothing about it. */
export const serverWord = ({ VIGIL_SECRET: secret = '' }: Pick<Config, 'VIGIL_SECRET'>): string =>
  createHash('sha256').update(`mqtt:${secret}`).digest('hex').slice(0, 10)

/** Where the channel of somebody says whether it is there: `online` or `offline`. */
export const statusTopic = (env: Pick<Config, 'VIGIL_SECRET'>, userId: UserId): string =>
  `vigil/${serverWord(env)}/user/${userId}/status`

/** What is told of a printer, and asked of it: `state`, `picture`, `event`, `alert`, `command`, `result`. */
export const printerTopic = (env: Pick<Config, 'VIGIL_SECRET'>, printerId: PrinterId, what: string): string =>
  `vigil/${serverWord(env)}/printer/${printerId}/${what}`

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The broker of a configuration that was checked. */
export function brokerOf(config: ChannelConfig): Broker {
  const [username, password, ca] = ['username', 'password', 'ca'].map((field) => textOf(config[field]))
  return {
    url: String(config['broker_url']),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(ca === undefined ? {} : { ca }),
  }
}

/** Below which Home Assistant looks for devices. */
export const discoveryPrefix = (config: ChannelConfig): string =>
  textOf(config['discovery_prefix']) ?? 'homeassistant'
