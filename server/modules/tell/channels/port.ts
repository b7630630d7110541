import { type Feature, FEATURES } from '@vigil/contract/tell/notifications.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Config } from '../../../config.ts'
import type { Answered, Outgoing } from '../../../engines/outgoing/send.ts'
import type { Attachment } from '../../../engines/mail/port.ts'
import { AppError } from '../../../http/errors.ts'
import { type Language, type Text, text } from '../../../http/texts.ts'
import type { BrowserRow, DeviceRow, PushKeys } from '../../people/devices/index.ts'
import type { MailTemplate } from '../../people/mail/index.ts'
import type { Markup, Notice, Words } from '../messages/index.ts'

/** What a person has set up for a channel: an address, a token. */
export type ChannelConfig = Readonly<Record<string, unknown>>

/** A variable of the server that a channel needs or knows. */
export interface EnvVar {
  readonly is_required: boolean
  readonly is_set: boolean
  /** Only what is no secret. */
  readonly value?: string
}

/** Where a message leads; absent while nobody has said where this server is found. */
export interface Links {
  readonly printer: string
  /** Where the message itself leads: to the picture of an alert, to a time-lapse, else to the printer. */
  readonly open: string
  /** Of an alert: pages that ask before they do anything, each once; for an hour without sign-in. */
  readonly alert: {
    readonly look: string
    readonly pause: string
    readonly fine: string
    readonly seen: string
  } | null
  /** Where somebody says whether the detector was right; null where there is nothing to be answered. */
  readonly feedback: string | null
  readonly cancel: string
  readonly resume: string
  readonly resumeAndMute: string
}

/** Who is told. */
export interface Recipient {
  readonly id: UserId
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly unsubToken: string
  readonly isPro: boolean
  readonly hasSms: boolean
  readonly language: Language
  /** The brand's id and its display name. */
  readonly brand: string
  readonly brandName: string
}

/** What somebody has registered to be reached by push. */
export interface Devices {
  /** By which this server proves itself to push services. */
  keys(): Promise<PushKeys>
  browsers(): Promise<BrowserRow[]>
  phones(): Promise<DeviceRow[]>
  /** It is gone, as its push service says. */
  forgetBrowser(id: number): Promise<void>
  forgetPhone(id: number): Promise<void>
}

/** A message on its way: everything a channel may want to know of it, and what it sends it with. */
export interface Message {
  readonly config: ChannelConfig
  readonly env: Config
  readonly user: Recipient
  readonly notice: Notice
  /** The time of this try, milliseconds. */
  readonly now: number
  /** The same at each try, and no other message's. */
  readonly key: string
  readonly links: Links | null
  /** Title and lines, as this channel writes. */
  words(markup?: Markup): Words
  /** The picture, upright, no edge longer than about so many pixels; null when there is none. */
  picture(longest: number): Promise<Buffer | null>
  /** Its signed address; null when there is none, or nobody knows where this server is found. */
  pictureUrl(): Promise<string | null>
  /** Calls a server; raises `NoAnswer`. */
  http(call: Outgoing): Promise<Answered>
  readonly devices: Devices
  /** Where letters to them go: confirmed addresses alone. */
  mailAddresses(): Promise<string[]>
  /** Has the mail server take a letter over. */
  mail<T>(
    letter: { readonly to: string; readonly template: MailTemplate<T>; readonly data: T },
    attachments: readonly Attachment[],
  ): Promise<void>
  say(key: string, params?: Record<string, string | number>): string
}

/** What calls to a vendor need of a message. */
export type Caller = Pick<Message, 'env' | 'user' | 'now' | 'key' | 'http' | 'devices'>

/** What checking a configuration may use. */
export interface Checking {
  readonly env: Config
  readonly user: Pick<Recipient, 'id' | 'hasSms'>
  http(call: Outgoing): Promise<Answered>
}

/**
 * A way to reach people: one file `*.channel.ts` beside this one, which exports it as `channel` (CONTRIBUTING.md, "Your first
 * channel"). To send is to have it accepted: raises `NotAccepted` when it was not, and then it is tried again, unless that changes
 * nothing.
 */
export interface Channel {
  readonly name: string
  /** Programs read it, and nobody sleeps: it is told at once and one by one, in quiet hours too. */
  readonly isForPrograms?: boolean
  /** What it can tell; everything unless given. */
  readonly features?: readonly Feature[]
  /** The variables of the server; none unless given. */
  envVars?(env: Config): Readonly<Record<string, EnvVar>>
  /** Checks what a person wrote and returns what is kept of it. Raises by `refuse`. */
  validateConfig(given: ChannelConfig, checking: Checking): ChannelConfig | Promise<ChannelConfig>
  /** The configuration as its owner is shown it, where that is more than they wrote. */
  shown?(config: ChannelConfig, of: { readonly env: Config; readonly userId: UserId }): ChannelConfig
  /** Who is called, so that one that is away costs no other: `api.example.org`. */
  destination(config: ChannelConfig, user: Pick<Recipient, 'id'>): string
  sendFailureAlert?(message: Message): Promise<void>
  sendPrinterNotification?(message: Message): Promise<void>
  sendTestMessage?(message: Message): Promise<void>
}

/** A message that was not accepted. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
  /** Why: the receiver's own words, or a sentence of ours. */
  readonly said: string | Text
  /** Trying again changes nothing. */
  readonly isFinal: boolean
  /** The receiver has said when. */
  readonly againAfterMs: number | null
  constructor(
    said: string | Text,
    { isFinal = false, againAfterMs = null }: { isFinal?: boolean; againAfterMs?: number | null } = {},
  ) {
    super(String(said))
    this.said = said
    this.isFinal = isFinal
    this.againAfterMs = againAfterMs
  }
}

export const featuresOfChannel = ({ features = FEATURES }: Channel): readonly Feature[] => features

/** All variables that it cannot do without are set. */
export const isSetUp = (channel: Channel, env: Config): boolean =>
  Object.values(channel.envVars?.(env) ?? {}).every(({ is_required, is_set }) => is_set || !is_required)

/** A variable for `envVars`; `isShown` when it is no secret. */
export const envVar = (value: string | undefined, { isRequired = true, isShown = false } = {}): EnvVar => ({
  is_required: isRequired,
  is_set: value !== undefined && value !== '',
  ...(isShown && value !== undefined ? { value } : {}),
})

/** A sentence of the channels. */
export const say = (key: string, params: Record<string, string | number> = {}): Text =>
  text('notifications-server', key, params)

/** 400 beside a field of the configuration: `{"config": {"phone_number": ["…"]}}`. */
export const refuse = (field: string, key: string, params?: Record<string, string>): AppError =>
  new AppError(400, { config: { [field]: [say(key, params)] } })

/** A field of the configuration as trimmed text; raises 400 when it is missing. */
export function textField(given: ChannelConfig, field: string, most = 1000): string {
  const value = given[field]
  const words = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (words === '' || words.length > most || !words.isWellFormed() || words.includes('\0'))
    throw refuse(field, 'required')
  return words
}
