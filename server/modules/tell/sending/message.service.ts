import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { type Letter, LetterRefused } from '../../../engines/mail/port.ts'
import { uprightPicture } from '../../../engines/outgoing/picture.ts'
import { send } from '../../../engines/outgoing/send.ts'
import { readDimensions } from '../../../lib/jpeg.ts'
import {
  deactivateDevice,
  deleteBrowser,
  findBrowsers,
  findDevices,
  pushKeys,
} from '../../people/devices/index.ts'
import { mailAddressesOf } from '../../people/emails/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { composeMail, homeOf, linkToken } from '../../people/mail/index.ts'
import { mediaUrl } from '../../core/media/index.ts'
import type { Caller, Devices, Links, Message, Recipient } from '../channels/index.ts'
import { NotAccepted, say } from '../channels/index.ts'
import { CHANNELS_PAGE, feedbackPath, isUpright, type Notice, PLAIN, wordsOf } from '../messages/index.ts'
import type { RecipientRow } from '../deliveries/recipients.queries.ts'

/** An alert goes to all channels at once: its picture is prepared once. */
const pictures = new LRUCache<string, Promise<Buffer | null>>({ max: 32 })

async function uprightOf(ctx: Pick<Ctx, 'files'>, notice: Notice, longest: number): Promise<Buffer | null> {
  if (notice.picture === null) return null
  const stored = await ctx.files.get(notice.picture)
  if (stored === null) return null
  const bytes = await buffer(stored)
  const { width, height } = readDimensions(bytes)
  const isAsWanted = isUpright(notice.orientation) && Math.max(width, height) <= longest
  return isAsWanted ? bytes : await uprightPicture(bytes, notice.orientation, longest)
}

/** The picture of a notice; without one a message is worth sending all the same. */
async function pictureOf(ctx: Ctx, notice: Notice, longest: number): Promise<Buffer | null> {
  const { path } = notice.picture ?? { path: '' }
  if (path === '') return null
  const key = `${longest} ${JSON.stringify(notice.orientation)} ${path}`
  const making = pictures.get(key) ?? uprightOf(ctx, notice, longest)
  pictures.set(key, making)
  return await making.catch((error: unknown) => {
    pictures.delete(key)
    ctx.log.warn({ err: error, path }, 'a message goes without its picture')
    return null
  })
}

/** Where the upright picture stands, written when it is first asked for; null when it is gone. */
async function uprightRef(ctx: Ctx, notice: Notice): Promise<MediaRef | null> {
  const { picture, orientation, printer } = notice
  if (picture === null) return null
  if (isUpright(orientation)) return (await ctx.files.stat(picture)) && picture
  const name = picture.path
    .split('/')
    .at(-1)
    ?.replace(/\.jpg$/, '')
  const ref: MediaRef = { container: picture.container, path: `snapshots/${printer.id}/${name}_rotated.jpg` }
  const bytes = await pictureOf(ctx, notice, 1920)
  if (bytes === null) return null
  await ctx.files.put(ref, bytes)
  return ref
}

/** The address of a notice's picture, upright, for who looks at a page of ours; null when there is none. */
export async function noticePictureUrl(
  ctx: Ctx,
  notice: Notice,
  edge: { readonly origin: string; readonly prefix: string },
): Promise<string | null> {
  const ref = await uprightRef(ctx, notice)
  return ref && mediaUrl(ctx, ref, edge)
}

function linksOf(
  ctx: Pick<Ctx, 'config'>,
  base: string | null,
  { kind, printer, print, others, linkId, hasFilm, asks }: Notice,
): Links | null {
  if (base === null) return null
  const ofPrint = `${base}/prints/${print.id}`
  const ofNone = kind === 'ChannelFailing' ? CHANNELS_PAGE : '/printers/'
  const ofPrinter =
    printer.id === 0 || others ? `${base}${ofNone}` : `${base}/printers/${printer.id}/control/`
  const ofAlert = linkId === undefined ? null : `${base}/alerts/${linkToken(ctx, linkId)}/`
  const openOf = () => {
    if (kind === 'FirstLayerReport') return `${base}/first_layer_inspection_images/?print_id=${print.id}`
    return kind === 'PrintDone' && hasFilm ? `${ofPrint}/` : ofPrinter
  }
  return {
    printer: ofPrinter,
    open: ofAlert ?? openOf(),
    alert:
      ofAlert === null
        ? null
        : {
            look: ofAlert,
            pause: `${ofAlert}pause/`,
            fine: `${ofAlert}fine/`,
            seen: `${ofAlert}seen/`,
          },
    feedback: asks === undefined ? null : `${base}${feedbackPath(print.id, asks)}`,
    cancel: `${ofPrint}/cancel/`,
    resume: `${ofPrint}/resume/`,
    resumeAndMute: `${ofPrint}/resume/?mute_alert=true`,
  }
}

/** Who is told, as channels know them. */
function recipientOf(ctx: Pick<Ctx, 'config'>, row: RecipientRow): Recipient {
  const { brands } = ctx.config
  const brand = brands.find(({ name }) => name === row.brand) ?? brands[0]
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    unsubToken: row.unsubToken,
    isPro: row.isPro,
    hasSms: entitlementsOf(ctx, row).sms,
    language: row.language === 'zh' ? 'zh' : 'en',
    brand: brand.name,
    brandName: brand.display_name,
  }
}

const devicesOf = (ctx: Ctx, userId: UserId): Devices => ({
  keys: () => pushKeys(ctx),
  browsers: () => findBrowsers(ctx.db, userId),
  phones: () => findDevices(ctx.db, userId),
  forgetBrowser: async (id) => void (await deleteBrowser(ctx.db, userId, id)),
  forgetPhone: async (id) => void (await deactivateDevice(ctx.db, userId, id, new Date(ctx.clock.now()))),
})

/** What calls in somebody's name need. */
export const callerOf = (
  ctx: Ctx,
  row: RecipientRow,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Caller => ({
  env: ctx.config,
  user: recipientOf(ctx, row),
  now: ctx.clock.now(),
  key,
  http: (call) => send(ctx.config, { signal, ...call }),
  devices: devicesOf(ctx, row.id),
})

/** Has the mail server take a letter over; raises `NotAccepted`. */
export async function post({ mail }: Pick<Ctx, 'mail'>, letter: Letter, signal: AbortSignal): Promise<void> {
  await mail.send(letter, signal).catch((error: unknown) => {
    const isFinal = error instanceof LetterRefused
    throw new NotAccepted(error instanceof Error ? error.message : String(error), { isFinal })
  })
}

/** A notice on its way to somebody, by one of their channels. */
export function messageOf(
  ctx: Ctx,
  row: RecipientRow,
  { notice, key, signal }: { notice: Notice; key: string; signal: AbortSignal },
): Message {
  const caller = callerOf(ctx, row, { key, signal })
  const { user } = caller
  const base = homeOf(ctx, row)
  return {
    ...caller,
    config: row.config,
    notice,
    links: linksOf(ctx, base, notice),
    words: (markup = PLAIN) => wordsOf(notice, { language: user.language, brand: user.brandName, markup }),
    picture: (longest) => pictureOf(ctx, notice, longest),
    async pictureUrl() {
      const ref = base === null ? null : await uprightRef(ctx, notice)
      return ref && mediaUrl(ctx, ref, { origin: base ?? '', prefix: '' })
    },
    mailAddresses: () => mailAddressesOf(ctx, user.id),
    async mail(letter, attachments) {
      const composed = await composeMail(ctx, { ...letter, userId: user.id, key }, attachments)
      if (composed !== undefined) await post(ctx, composed, signal)
    },
    say: (name, params) => say(name, params).in(user.language),
  }
}
