import type * as contract from '@vigil/contract/people/notices.ts'
import type { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { forbidden, invalid, notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Language, text } from '../../../http/texts.ts'
import { html } from '../../../lib/html.ts'
import type { UserId } from '../../../lib/id.ts'
import { type Admin, userById } from '../accounts/index.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import * as queries from './notices.queries.ts'

/** So many are shown to somebody at once, and so many are kept. */
const MOST_SHOWN = 20
const MOST_KEPT = 200

const say = (key: string, params?: Record<string, string>) => text('admin-server', key, params)

/** Paragraphs and lines of a text; what looks like markup is text. */
function htmlOf(body: string): string {
  const paragraphs = body.split(/\n\s{0,99}\n/).map((one) => one.trim().split('\n'))
  const lines = (all: readonly string[]) =>
    all.map((line, at) => (at === 0 ? html`${line}` : html`<br />${line}`))
  return paragraphs.map((one) => html`<p>${lines(one)}</p>`.markup).join('')
}

function present(row: queries.NoticeRow, language: Language): contract.AccountNotice {
  const zh = language === 'zh'
  const body = zh ? row.bodyZh : row.bodyEn
  return {
    id: row.id,
    level: row.level,
    title: zh ? row.titleZh : row.titleEn,
    body_html: htmlOf(body),
    body,
    link_url: row.linkUrl,
    link_text: zh ? row.linkZh : row.linkEn,
    dismissible: row.dismissible,
    created_at: row.fromAt.toISOString(),
    expires_at: row.untilAt?.toISOString() ?? null,
  }
}

async function readerOf(ctx: Ctx, userId: UserId): Promise<queries.Reader> {
  const user = await userById(ctx, userId)
  if (user === undefined) throw forbidden()
  const { brand, isStaff } = user
  // Where no plan counts everybody has everything.
  return { userId, brand, isStaff, plan: ctx.config.IS_ENT && !user.isPro ? 'free' : 'pro' }
}

/** What there is to tell somebody now. */
export async function listNotices(ctx: Ctx, principal: UserPrincipal, language: Language) {
  const reader = await readerOf(ctx, principal.userId)
  const rows = await queries.findShown(ctx.db, reader, new Date(ctx.clock.now()), MOST_SHOWN)
  return rows.map((row) => present(row, language))
}

/** Somebody puts a notice away for good. Raises 404 for one that they are not shown, 403 for one that stays. */
export async function dismissNotice(ctx: Ctx, principal: UserPrincipal, number: number): Promise<void> {
  const reader = await readerOf(ctx, principal.userId)
  const now = new Date(ctx.clock.now())
  const row = await queries.findOneShown(ctx.db, reader, now, number)
  if (row === undefined) throw notFound()
  if (!row.dismissible) throw forbidden(say('noticeStays'))
  await queries.insertDismissal(ctx.db, reader, row, now)
}

const inBoth = (en: string | null, zh: string | null) => (en === null || zh === null ? null : { en, zh })

const written = (
  row: queries.NoticeRow & { readonly dismissed?: number | null },
): contract.WrittenNotice => ({
  id: row.id,
  level: row.level,
  title: inBoth(row.titleEn, row.titleZh),
  body: { en: row.bodyEn, zh: row.bodyZh },
  link_url: row.linkUrl,
  link_text: inBoth(row.linkEn, row.linkZh),
  audience: row.audience,
  brand: row.brand,
  dismissible: row.dismissible,
  from: row.fromAt.toISOString(),
  until: row.untilAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  dismissed: row.dismissed ?? 0,
})

/** All notices, for administrators. */
export const listWritten = async (ctx: Ctx, admin: Admin): Promise<contract.WrittenNotice[]> =>
  (await queries.findWritten(ctx.db, admin, MOST_KEPT)).map(written)

type Wish = z.output<typeof contract.noticeWrite>

function rowOf({ config, clock }: Ctx, wish: Wish): queries.NewNotice {
  const { level, title, body, link_url: linkUrl, link_text: link, audience, brand, dismissible } = wish
  if (brand !== null && !config.brands.some(({ name }) => name === brand))
    throw invalid({ brand: say('noBrand') })
  const fromAt = new Date(wish.from ?? clock.now())
  const untilAt = wish.until === null ? null : new Date(wish.until)
  if (untilAt !== null && untilAt <= fromAt) throw invalid({ until: say('untilPast') })
  return {
    level,
    titleEn: title?.en ?? null,
    titleZh: title?.zh ?? null,
    bodyEn: body.en,
    bodyZh: body.zh,
    linkUrl,
    linkEn: link?.en ?? null,
    linkZh: link?.zh ?? null,
    audience,
    brand,
    dismissible,
    fromAt,
    untilAt,
  }
}

const audit = (ctx: Ctx, { userId }: Admin, action: string, id: number) =>
  auditBoth(ctx, { staffId: userId, userId: null, action, detail: { notice: id } })

/** Writes a notice. Raises 400 for a brand that there is none, an end that is past, and where too many are kept. */
export async function writeNotice(ctx: Ctx, admin: Admin, wish: Wish): Promise<contract.WrittenNotice> {
  const row = rowOf(ctx, wish)
  return await ctx.db.transaction().execute(async (db) => {
    if ((await queries.countWritten(db)) >= MOST_KEPT)
      throw invalid({ non_field_errors: say('tooManyNotices', { most: `${MOST_KEPT}` }) })
    const made = await queries.insertNotice(db, row, new Date(ctx.clock.now()))
    await audit({ ...ctx, db }, admin, 'notice_written', made.id)
    return written(made)
  })
}

/** Writes it anew. Raises 400, and 404 for one that is gone. */
export async function rewriteNotice(
  ctx: Ctx,
  admin: Admin,
  { id, wish }: { readonly id: number; readonly wish: Wish },
): Promise<contract.WrittenNotice> {
  const row = rowOf(ctx, wish)
  return await ctx.db.transaction().execute(async (db) => {
    const changed = await queries.updateNotice(db, admin, id, row)
    if (changed === undefined) throw notFound()
    await audit({ ...ctx, db }, admin, 'notice_rewritten', changed.id)
    return written(changed)
  })
}

/** Takes a notice back. Raises 404 for one that is gone. */
export async function removeNotice(ctx: Ctx, admin: Admin, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    if (!(await queries.deleteNotice(db, admin, id))) throw notFound()
    await audit({ ...ctx, db }, admin, 'notice_removed', id)
  })
}
