import type { Printer } from '@vigil/contract/printers/printers.ts'
import { LRUCache } from 'lru-cache'
import { NO_ID } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inNameOf, type SlicerPrincipal } from '../../../http/principal.ts'
import { Json } from '../../../http/route.ts'
import { printersVisibleTo } from '../../core/access/index.ts'
import { addressPeriod } from '../../core/media/index.ts'
import { type PresenceAsText, readPresences } from '../../core/presence/index.ts'
import { findVersions } from './list.queries.ts'
import { presentAround, presentMoving, type Where } from '../rows/printers.present.ts'
import { findViews, isAlertOpen, type PrinterView, sharedAmong } from '../rows/printers.queries.ts'
import type { Asker } from './printers.service.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** Printers that are remembered, and for how long after they were read: pages and apps ask every few seconds. */
const REMEMBERED = { max: 2_000, ttl: 60_000, ttlAutopurge: true, updateAgeOnGet: true }

/** A printer as it was last listed. */
interface Listed {
  readonly version: string
  readonly view: PrinterView
  /** Its JSON before and after the status, and what that was made of besides the view. */
  written: { readonly of: string; readonly before: string; readonly after: string } | null
}

type Memory = LRUCache<string, Listed>
/** One memory for one running server. */
const memoryOf = ofServer((): Memory => new LRUCache<string, Listed>(REMEMBERED))

/**
 * The caller's printers as JSON. Each time the database is asked which they are and whether their rows have changed; what
 * has not is not read and written anew.
 */
export async function listPrinters(ctx: Ctx, asker: Asker): Promise<Json<Printer[]>> {
  const listed = await findListed(ctx, asker)
  const lives = await readPresences(
    ctx,
    listed.map(({ view }) => view.printer.id),
  )
  return new Json(`[${lives.map((live, i) => write(ctx, listed[i]!, live, asker.edge)).join()}]`)
}

/** The printers that a slicer may bring files for: their names, and never an agent's token. */
export async function listNames({ db }: Pick<Ctx, 'db'>, slicer: SlicerPrincipal): Promise<Json<Printer[]>> {
  const rows = await printersVisibleTo(db, { principal: inNameOf(slicer), action: 'see', isOwn: true })
    .select(['printers.id', 'printers.name'])
    .$if(slicer.printerId !== null, (query) => query.where('printers.id', '=', slicer.printerId ?? NO_ID))
    .orderBy('printers.id')
    .execute()
  return new Json(JSON.stringify(rows))
}

async function findListed(ctx: Ctx, { principal, withArchived = false }: Asker): Promise<Listed[]> {
  const memory = memoryOf(ctx)
  const versions = await findVersions(ctx.db, principal, withArchived)
  const shared = await sharedAmong(ctx.db, { principal, action: 'see' }, versions)
  // What a key, or who was let in, is told of a printer is less than what its owner is.
  const placeOf = (id: number) => {
    const { role, owner } = shared.get(id) ?? { role: principal.via === 'key' ? 'key' : 'self', owner: '' }
    return `${id}:${role}:${owner}`
  }
  const known = new Map<number, Listed>()
  for (const { id, version } of versions) {
    const one = memory.get(placeOf(id))
    if (one?.version === version) known.set(id, one)
  }
  if (known.size < versions.length) {
    const missing = versions.filter(({ id }) => !known.has(id))
    const scope = { principal, action: 'see', withArchived } as const
    const views = await findViews(
      ctx.db,
      scope,
      missing.map(({ id }) => id),
    )
    const byId = new Map(views.map((view) => [view.printer.id, view]))
    // Rows that were written since are newer than their version: they are read once more next time.
    for (const { id, version } of missing) {
      const view = byId.get(id)
      if (view === undefined) continue
      const one = { version, view, written: null }
      known.set(id, one)
      if (view.print === null || !isAlertOpen(view.print)) memory.set(placeOf(id), one)
    }
  }
  return versions.flatMap(({ id }) => known.get(id) ?? [])
}

function write(ctx: Ctx, listed: Listed, live: PresenceAsText, edge: Where): string {
  const { view } = listed
  const moving = presentMoving(ctx, view, live, edge)
  const { pic, watch, agent } = moving
  const of = JSON.stringify([edge.origin, edge.prefix, addressPeriod(ctx.clock.now()), pic, watch, agent])
  if (listed.written?.of !== of) {
    const [before, after] = presentAround(ctx, view, moving, edge)
    listed.written = {
      of,
      before: JSON.stringify(before).slice(0, -1),
      after: JSON.stringify(after).slice(1),
    }
  }
  const { before, after } = listed.written
  const status = moving.status === null ? 'null' : live.statusText()
  return `${before},"status":${status},${after}`
}
