import { readdirSync } from 'node:fs'
import type { Channel } from './port.ts'

export { pushProgress } from './mobile.channel.ts'
export {
  type Caller,
  type Channel,
  type ChannelConfig,
  type Devices,
  featuresOfChannel,
  isSetUp,
  type Links,
  type Message,
  NotAccepted,
  type Recipient,
  say,
} from './port.ts'

export { brokerOf, discoveryPrefix, printerTopic, serverWord, statusTopic } from './mqtt.topics.ts'

/** Every file of this folder that is called so is a channel. */
const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.channel.ts'))

/** The channels of this server by their names. */
export const CHANNELS: ReadonlyMap<string, Channel> = new Map(
  await Promise.all(
    FILES.toSorted().map(async (name) => {
      const { channel } = (await import(new URL(name, import.meta.url).href)) as { channel: Channel }
      return [channel.name, channel] as const
    }),
  ),
)

/** Those that programs read. */
export const PROGRAMS: readonly string[] = [...CHANNELS.values()]
  .filter(({ isForPrograms }) => isForPrograms === true)
  .map(({ name }) => name)
