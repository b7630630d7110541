import type { PrintId, PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Language } from '../../../http/texts.ts'
import { findDevices } from '../../people/devices/index.ts'
import { homeOf } from '../../people/mail/index.ts'
import { pushProgress } from '../channels/index.ts'
import { callerOf } from '../sending/message.service.ts'
import { findPhoneChannel } from './phones.queries.ts'
import { findRecipient } from '../deliveries/recipients.queries.ts'

const TRY_MS = 10_000

/** Whose phones they are, and of which platforms; `origin` is '' while nobody knows where this server is found. */
export interface Phones {
  readonly userId: UserId
  readonly language: Language
  readonly origin: string
  readonly platforms: ReadonlySet<string>
}
/** What one phone is shown; null: nothing. */
type Show = (phone: {
  readonly platform: string
  readonly timeZone: string | null
}) => Readonly<Record<string, string>> | null

/** Shows something on the phones of a printer's owner who wants notifications, at once or not at all. */
export async function showPhones(
  ctx: Ctx,
  {
    printerId,
    printId,
    worthMs,
  }: { readonly printerId: PrinterId; readonly printId: PrintId; readonly worthMs: number },
  decide: (phones: Phones) => Promise<Show | null>,
): Promise<void> {
  const settingId = await findPhoneChannel(ctx.db, printerId)
  const to = settingId === undefined ? undefined : await findRecipient(ctx.db, settingId)
  if (to === undefined) return
  const phones = await findDevices(ctx.db, to.id)
  if (phones.length === 0) return
  const caller = callerOf(ctx, to, { key: `progress:${printId}`, signal: AbortSignal.timeout(TRY_MS) })
  const show = await decide({
    userId: to.id,
    language: caller.user.language,
    origin: homeOf(ctx, to) ?? '',
    platforms: new Set(phones.map(({ platform }) => platform)),
  })
  if (show === null) return
  const shown = phones.flatMap((phone) => {
    const data = show({ platform: phone.platform, timeZone: phone.preferredTimezone })
    return data === null ? [] : [{ phone, data }]
  })
  if (shown.length > 0) await pushProgress(caller, shown, worthMs)
}
