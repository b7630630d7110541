import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { hashOf } from '../../../lib/signing.ts'
import { linkToken } from '../../people/mail/index.ts'
import type { Notice } from '../messages/index.ts'
import { type AlertLinkRow, findAlertLink, insertAlertLinks } from './links.queries.ts'

/** For so long a link works for whoever has it. */
const OPEN_MS = 3_600_000

type LinkCtx = Pick<Ctx, 'db' | 'clock' | 'config'>

/** Writes the rows by which the links in the messages of alerts work. */
export async function keepAlertLinks(
  ctx: LinkCtx,
  alerts: readonly { readonly key: string; readonly userId: UserId; readonly notice: Notice }[],
): Promise<void> {
  const now = ctx.clock.now()
  const links = alerts.flatMap(({ key, userId, notice }) =>
    notice.linkId === undefined ? [] : [{ id: notice.linkId, key, userId, notice }],
  )
  if (links.length === 0) return
  await insertAlertLinks(
    ctx.db,
    links.map(({ id, key, userId, notice }) => ({
      id,
      tokenHash: hashOf(linkToken(ctx, id)),
      noticeKey: key,
      userId,
      printerId: notice.printer.id,
      notice: JSON.stringify(notice),
      openUntil: new Date(now + OPEN_MS),
      createdAt: new Date(now),
    })),
  )
}

/** The link that a word is of; undefined for an unknown one. */
export const alertLinkOf = ({ db }: Pick<Ctx, 'db'>, token: string): Promise<AlertLinkRow | undefined> =>
  findAlertLink(db, hashOf(token))
