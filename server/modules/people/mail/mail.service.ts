import { createHash, createHmac } from 'node:crypto'
import type { UserId } from '../../../lib/id.ts'
import { keyOfLink } from '../../../lib/keyring.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Brand } from '../../../brands/brands.ts'
import type { Accepted, Attachment, Letter } from '../../../engines/mail/port.ts'
import { AppError } from '../../../http/errors.ts'
import { type Language, text } from '../../../http/texts.ts'
import { findHome, homeOf, findReader, type Reader } from './mail.queries.ts'
import { draw, type Drawn, type Foot } from './mail.look.ts'
import type { MailTemplate } from './mail.templates.ts'

const say = (key: string) => text('mail-server', key)

/** One letter to one user. */
export interface MailOrder<T> {
  readonly userId: UserId
  readonly to: string
  readonly template: MailTemplate<T>
  readonly data: T
  /** Names what the letter is about: a second one with the same key is the same letter. */
  readonly key: string
}

/** Raises a 503 that says what is to be set up, where no link can be mailed. Call before anything that ends in one. */
export async function requireMail(ctx: Pick<Ctx, 'mail' | 'config' | 'db'>): Promise<void> {
  if (!ctx.mail.isConfigured) throw new AppError(503, { detail: say('notConfigured') })
  if ((await findHome(ctx)) === null) throw new AppError(503, { detail: say('noHome') })
}

/** The word in a one-time link: made of a key of the server and the link's id, so that the database alone opens nothing. */
export function linkToken({ config }: Pick<Ctx, 'config'>, linkId: string): string {
  return createHmac('sha256', keyOfLink(config, linkId).secret).update(`link\n${linkId}`).digest('base64url')
}

/** Draws a letter for somebody: what it says, and what stands below. Without a home nothing in it leads anywhere. */
export function drawFor<T>(
  ctx: Pick<Ctx, 'config'>,
  { template, data }: { template: MailTemplate<T>; data: T },
  {
    language,
    brand,
    home,
    unsubscribe,
  }: { language: Language; brand: Brand; home: string | null; unsubscribe: string | null },
): Drawn {
  const written = template.write(data, {
    brand,
    link: (path) => (home === null ? '' : home + path),
    token: (linkId) => linkToken(ctx, linkId),
  })
  const preferences = { label: say('preferences'), href: `${home ?? ''}/user_preferences/` }
  const foot: Foot =
    unsubscribe === null
      ? { words: text('mail-server', 'sentBy', { brand: brand.display_name }), links: [] }
      : {
          words: text('mail-server', 'sentBy', { brand: brand.display_name }),
          links: [preferences, { label: say('unsubscribe'), href: unsubscribe }],
        }
  return draw(written, { language, brand, foot })
}

/**
 * Writes a letter in its reader's language and brand; where nobody has said where this server is found, without links.
 * Undefined when the user is gone. To send it by a job of one's own,
 * `ctx.mail.send(letter, signal)`: retries and their end are then that job's affair.
 */
export async function composeMail<T>(
  ctx: Pick<Ctx, 'db' | 'config' | 'mail'>,
  order: MailOrder<T>,
  attachments: readonly Attachment[] = [],
): Promise<Letter | undefined> {
  const reader = await findReader(ctx.db, order.userId)
  return reader && letterTo(ctx, reader, order, attachments)
}

/** The same for a reader who is known: asks no database. */
export function letterTo<T>(
  ctx: Pick<Ctx, 'config' | 'mail'>,
  reader: Pick<Reader, 'brand' | 'language' | 'signedInAt' | 'unsubToken'>,
  { to, template, data, key }: Omit<MailOrder<T>, 'userId'>,
  attachments: readonly Attachment[] = [],
): Letter {
  const { brands } = ctx.config
  const brand = brands.find(({ name }) => name === reader.brand) ?? brands[0]
  const home = homeOf(ctx, reader)
  const language = reader.language === 'zh' ? 'zh' : 'en'
  const unsubscribe =
    template.list === undefined || home === null
      ? null
      : `${home}/unsubscribe_email/?unsub_token=${reader.unsubToken}&list=${template.list}`
  const from = senderOf(ctx, brand)
  return {
    ...drawFor(ctx, { template, data }, { language, brand, home, unsubscribe }),
    from,
    to,
    messageId: `${createHash('sha256').update(`${key}\n${to}`).digest('hex').slice(0, 40)}@${from.address.split('@')[1]}`,
    attachments,
    ...(unsubscribe === null
      ? {}
      : {
          headers: {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
  }
}

/** A brand's own sender, else the server's; a letter of another brand never bears the first one's name. */
function senderOf({ config, mail }: Pick<Ctx, 'config' | 'mail'>, brand: Brand): Letter['from'] {
  const name = brand === config.brands[0] ? mail.from.name : brand.display_name
  return { name, address: brand.email_from ?? mail.from.address }
}

export type { Accepted }
