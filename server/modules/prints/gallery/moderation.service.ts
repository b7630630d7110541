import type { Parsed, Reply } from '@vigil/contract/endpoint.ts'
import type { decideGalleryEntry, GalleryEntry, listGalleryEntries } from '@vigil/contract/prints/gallery.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { Admin } from '../../people/accounts/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { columnUrl } from '../../core/media/index.ts'
import { PUBLISH, REMOVE_COPIES, versionOf } from './copies.service.ts'
import {
  changeEntry,
  countStates,
  type Entry,
  findEntries,
  findEntry,
  findNamedEntry,
} from './gallery.queries.ts'
import { type Decision, filmOf, type State, STEPS } from './gallery.rules.ts'
import { auditOf } from './offers.service.ts'
import { announceChange } from './shelf.ts'

const STATES = ['offered', 'accepted', 'public', 'refused', 'removed'] as const

/** What was offered, for an administrator: neither file, printer nor account is named. */
export async function listEntries(
  ctx: Ctx,
  query: Parsed<typeof listGalleryEntries, 'query'>,
  edge: Edge,
): Promise<Reply<typeof listGalleryEntries>> {
  const [entries, counts] = await Promise.all([findEntries(ctx.db, query), countStates(ctx.db)])
  return {
    entries: await Promise.all(entries.map((entry) => present(ctx, entry, edge))),
    counts: Object.fromEntries(STATES.map((state) => [state, counts.get(state) ?? 0])) as Reply<
      typeof listGalleryEntries
    >['counts'],
  }
}

async function present(ctx: Ctx, entry: Entry, edge: Edge): Promise<GalleryEntry> {
  return {
    id: entry.id,
    version: await versionOf(ctx, entry),
    state: entry.state as GalleryEntry['state'],
    creator_name: entry.creatorName,
    priority: entry.priority,
    reason: entry.reason,
    problem: entry.problem,
    offered_at: entry.consentedAt.toISOString(),
    decided_at: entry.decidedAt?.toISOString() ?? null,
    public_at: entry.publicAt?.toISOString() ?? null,
    video_url: columnUrl(ctx, filmOf(entry), edge),
    poster_url: columnUrl(ctx, entry.poster, edge),
    prediction_json_url: columnUrl(ctx, entry.predictionJson, edge),
  }
}

/**
 * Decides on an entry, or moves it. Raises 409 for what was withdrawn meanwhile or is decided otherwise, and accepts what was seen
 * alone: 409 when it has another name or film by now.
 */
export async function decideEntry(
  ctx: Ctx,
  admin: Admin,
  id: number,
  { decision, reason, priority, version }: Parsed<typeof decideGalleryEntry, 'body'>,
  edge: Edge,
): Promise<GalleryEntry> {
  const before = await findNamedEntry(ctx.db, admin, id)
  if (before === undefined || before.state === 'withdrawn') throw notFound()
  if (decision === 'accept' && version !== (await versionOf(ctx, before))) throw changed()
  await inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx }
    if (decision !== undefined)
      await step(inside, admin, before, { decision, reason, version: version ?? null })
    if (priority !== undefined) await move(inside, admin, before, priority)
  })
  announceChange(ctx, decision === 'take_down' ? before.key : null)
  const after = await findEntry(ctx.db, before.id)
  if (after === undefined || after.state === 'withdrawn') throw notFound()
  return present(ctx, after, edge)
}

const changed = () => new AppError(409, { detail: text('gallery-server', 'changed') })

interface Step {
  readonly decision: Decision
  readonly reason: string
  readonly version: string | null
}

async function step(ctx: Ctx, { userId }: Admin, before: Entry, { decision, reason, version }: Step) {
  const { from, to } = STEPS[decision]
  const after = await changeEntry(ctx.db, before, from, {
    state: to,
    reason: decision === 'accept' ? null : reason,
    problem: null,
    publicAt: null,
    acceptedVersion: decision === 'accept' ? version : null,
    decidedAt: new Date(ctx.clock.now()),
    decidedBy: userId,
  })
  if (after === undefined) throw changed()
  await writeAudit(ctx, {
    ...auditOf(after, userId),
    actor: 'admin',
    action: `gallery.${decision}`,
    outcome: to,
    detail: { entry: before.id, ...(reason !== '' && { reason }) },
  })
  if (to === 'accepted')
    await ctx.jobs.enqueue(
      ctx.db,
      PUBLISH,
      { id: before.id },
      { singletonKey: `${before.id}`, owner: before.userId },
    )
  else if (after.key !== null) await ctx.jobs.enqueue(ctx.db, REMOVE_COPIES, { key: after.key })
}

const ANY: readonly State[] = STATES

async function move(ctx: Ctx, { userId }: Admin, before: Entry, priority: number) {
  const after = await changeEntry(ctx.db, before, ANY, { priority })
  if (after === undefined) throw changed()
  await writeAudit(ctx, {
    ...auditOf(after, userId),
    actor: 'admin',
    action: 'gallery.move',
    outcome: 'moved',
    detail: { entry: before.id, priority },
  })
}
