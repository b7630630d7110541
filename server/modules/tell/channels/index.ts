import { channel as apprise } from './apprise.channel.ts'
import { channel as discord } from './discord.channel.ts'
import { channel as email } from './email.channel.ts'
import { channel as gotify } from './gotify.channel.ts'
import { channel as matrix } from './matrix.channel.ts'
import { channel as mobile } from './mobile.channel.ts'
import { channel as mqtt } from './mqtt.channel.ts'
import { channel as ntfy } from './ntfy.channel.ts'
import { channel as pushbullet } from './pushbullet.channel.ts'
import { channel as pushover } from './pushover.channel.ts'
import { channel as slack } from './slack.channel.ts'
import { channel as telegram } from './telegram.channel.ts'
import { channel as twilio } from './twilio.channel.ts'
import { channel as webhook } from './webhook.channel.ts'
import { channel as webpush } from './webpush.channel.ts'
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

/** The channels of this server by their names. */
export const CHANNELS: ReadonlyMap<string, Channel> = new Map(
  [
    apprise,
    discord,
    email,
    gotify,
    matrix,
    mobile,
    mqtt,
    ntfy,
    pushbullet,
    pushover,
    slack,
    telegram,
    twilio,
    webhook,
    webpush,
  ].map((channel) => [channel.name, channel]),
)

/** Those that programs read. */
export const PROGRAMS: readonly string[] = [...CHANNELS.values()]
  .filter(({ isForPrograms }) => isForPrograms === true)
  .map(({ name }) => name)
