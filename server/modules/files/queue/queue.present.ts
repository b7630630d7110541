import type * as wire from '@vigil/contract/files/queue.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { CloudPrintReason } from '@vigil/contract/files/cloud-prints.ts'
import type { Edge } from '../../../http/edge.ts'
import type { Language } from '../../../http/texts.ts'
import { reasonText } from '../cloud-prints/index.ts'
import { columnUrl } from '../../core/media/index.ts'
import { type Account, type Place, readAccount } from '../queue-plan/account.service.ts'
import { readKnowledge } from '../queue-plan/fits.service.ts'
import {
  type EntryRow,
  findDone,
  findPrinters,
  findStarts,
  type RunRow,
  versionOf,
} from '../queue-plan/queue.queries.ts'
import { type Outlook, outlook, whoStarts } from '../queue-plan/schedule.rules.ts'

const SHOWN_DONE = 20

/** Who looks: where they have come to us, and in which language they read. */
export interface Reader {
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
  readonly language: Language
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** The whole queue of an account as it stands, all of it at one moment. */
export async function readQueue(ctx: Ctx, userId: UserId, reader: Reader): Promise<wire.Queue> {
  const known = await readKnowledge(ctx, await findPrinters(ctx.db, userId))
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const account = await readAccount({ ...ctx, db }, userId, known)
      const done = await findDone(db, userId, SHOWN_DONE)
      const ids = [...account.rows, ...done].map(({ id }) => id)
      const starts = await findStarts(db, ids)
      return present(ctx, reader, { account, done, starts, version: await versionOf(db, userId) })
    })
}

interface Read {
  readonly account: Account
  readonly done: readonly EntryRow[]
  readonly starts: readonly RunRow[]
  readonly version: number
}

function present(ctx: Ctx, reader: Reader, { account, done, starts, version }: Read): wire.Queue {
  const runs = Map.groupBy(starts, ({ entryId }) => entryId)
  const { entries, machines, fits, places } = account
  const expected = outlook(entries, machines, fits)
  const names = new Map(places.map(({ row }) => [row.id, row.name]))
  const entryOf = (row: EntryRow) =>
    presentEntry(ctx, row, {
      reader,
      names,
      runs: runs.get(row.id) ?? [],
      outlook: expected.get(row.id) ?? null,
    })
  return {
    version,
    entries: account.rows.map(entryOf),
    done: done.map(entryOf),
    printers: places.map((place) => presentPrinter(place, account, reader)),
  }
}

interface Beside {
  readonly reader: Reader
  readonly names: ReadonlyMap<number, string>
  readonly runs: readonly RunRow[]
  readonly outlook: Outlook | null
}

function presentEntry(
  ctx: Ctx,
  row: EntryRow,
  { reader, names, runs, outlook: seen }: Beside,
): wire.QueueEntry {
  const isDeleted = row.fileDeletedAt !== null
  const left = Math.max(0, row.copies - row.begun)
  // What has nothing left to start waits for nothing.
  const next = row.endedAt === null && left > 0 ? seen : null
  return {
    id: row.id,
    file: {
      id: row.gCodeFileId,
      filename: row.filename,
      estimated_time: row.estimatedTime,
      filament_total: row.filamentTotal,
      thumbnail_url: columnUrl(ctx, (!isDeleted && row.thumbnails[0]) || null, reader.edge),
      deleted: isDeleted,
    },
    printer: row.printerId === null ? null : { id: row.printerId, name: row.printerName ?? '' },
    copies: row.copies,
    left,
    on_hold: row.onHold,
    fits_anyway: row.fitsAnyway,
    runs: runs.map((run) => presentRun(run, reader)),
    reason: next?.reason ?? null,
    waits_for: named(next?.printerId ?? null, names),
    ahead: next?.ahead ?? 0,
    starts_at: time(next?.startsAt ?? null),
    ends_at: time(next?.endsAt ?? null),
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  }
}

function named(id: number | null, names: ReadonlyMap<number, string>) {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { id, name }
}

function presentRun(run: RunRow, reader: Reader): wire.QueueRun {
  return {
    printer_id: run.printerId,
    printer_name: run.printerName,
    state: stateOf(run),
    reason: run.state === 'failed' ? wordsOf(run.why, reader) : null,
    print_id: run.printId,
    started_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
  }
}

/** Why a print from the cloud came to nothing, in the reader's words. */
const wordsOf = (reason: string | null, { language }: Reader) =>
  reason === null ? null : reasonText(reason as CloudPrintReason, null).in(language)

function stateOf({ state, why }: RunRow): wire.QueueRun['state'] {
  if (state === 'done') return why === 'finished' ? 'finished' : 'cancelled'
  return state === 'sent' ? 'sending' : state
}

function presentPrinter(
  { row, bed, isClear, machine }: Place,
  { entries, fits }: Account,
  reader: Reader,
): wire.QueuePrinter {
  // What it would begin, were there nothing in its way and no other printer.
  const mine = entries.filter(
    (entry) => whoStarts([entry], [{ ...machine, obstacle: null }], fits).length > 0,
  )
  return {
    id: row.id,
    name: row.name,
    enabled: bed.enabled,
    bed: bed.bed,
    bed_clear: isClear,
    cleared_at: isClear ? time(bed.clearedAt) : null,
    obstacle: machine.obstacle,
    refusal: machine.obstacle === 'refused' ? wordsOf(row.refusal, reader) : null,
    next: mine[0]?.id ?? null,
    waiting: mine.length,
    free_at: time(machine.freeAt),
  }
}
