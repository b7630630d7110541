/** One thing that a person writes to set up a channel. */
export interface ChannelField {
  /** As the server knows it; also the name of its texts. */
  readonly key: string
  readonly kind: 'text' | 'url' | 'tel' | 'secret' | 'area'
  /** It may stay empty. */
  readonly isOptional?: boolean
  readonly placeholder?: string
}

export interface ChannelForm {
  readonly name: string
  readonly fields: readonly ChannelField[]
  /** On plain HTTP too, without an account anywhere: offered first where someone has just linked a printer. */
  readonly isQuick?: boolean
  /** Nobody reads it: it is told of everything at once. */
  readonly isForPrograms?: boolean
}

/** The channels in the order in which they are shown, with what each is set up by; its words are `channel.{name}`. */
export const CHANNELS: readonly ChannelForm[] = [
  { name: 'email', fields: [] },
  { name: 'webpush', fields: [] },
  { name: 'mobile', fields: [] },
  {
    name: 'twilio',
    fields: [
      { key: 'phone_country_code', kind: 'tel', placeholder: '+1' },
      { key: 'phone_number', kind: 'tel', placeholder: '415 555 2671' },
    ],
  },
  { name: 'pushbullet', fields: [{ key: 'access_token', kind: 'secret' }] },
  {
    name: 'discord',
    fields: [{ key: 'webhook_url', kind: 'url', placeholder: 'https://discord.com/api/webhooks/…' }],
  },
  {
    name: 'telegram',
    fields: [{ key: 'chat_id', kind: 'text', placeholder: '123456789' }],
    isQuick: true,
  },
  { name: 'pushover', fields: [{ key: 'user_key', kind: 'secret' }] },
  { name: 'slack', fields: [] },
  {
    name: 'webhook',
    fields: [{ key: 'custom_webhook_URL', kind: 'url', placeholder: 'https://example.com/vigil' }],
    isForPrograms: true,
  },
  { name: 'apprise', fields: [{ key: 'apprise_url', kind: 'url', placeholder: 'ntfy://my-topic' }] },
  {
    name: 'ntfy',
    fields: [
      { key: 'ntfy_url', kind: 'url', placeholder: 'https://ntfy.sh/my-printers-3f9a' },
      { key: 'access_token', kind: 'secret', isOptional: true },
    ],
    isQuick: true,
  },
  {
    name: 'gotify',
    fields: [
      { key: 'gotify_url', kind: 'url', placeholder: 'https://gotify.example.com' },
      { key: 'app_token', kind: 'secret' },
    ],
  },
  {
    name: 'mqtt',
    isForPrograms: true,
    fields: [
      { key: 'broker_url', kind: 'text', placeholder: 'mqtt://192.168.1.5:1883' },
      { key: 'username', kind: 'text', isOptional: true },
      { key: 'password', kind: 'secret', isOptional: true },
      { key: 'ca', kind: 'area', isOptional: true, placeholder: '-----BEGIN CERTIFICATE-----' },
      { key: 'discovery_prefix', kind: 'text', isOptional: true, placeholder: 'homeassistant' },
    ],
  },
  {
    name: 'matrix',
    fields: [
      { key: 'homeserver_url', kind: 'url', placeholder: 'https://matrix.example.org' },
      { key: 'room_id', kind: 'text', placeholder: '!abcdef:example.org' },
      { key: 'access_token', kind: 'secret' },
    ],
  },
]

export const channelNamed = (name: string): ChannelForm | undefined =>
  CHANNELS.find((channel) => channel.name === name)
