import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { isConflict } from '../../../engines/db/postgres.ts'
import { batched } from '../../../lib/batch.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { keptBy } from '../../../lib/of-server.ts'
import type { Authorized } from '../access/index.ts'

interface Seen {
  readonly printer: Authorized<'edit'>
  readonly at: Date
}

/** Thousands may leave in the same moment. */
const MAX_ROUND = 500
/** Nobody waits for it. */
const GATHER_MS = 100

const writerOf = keptBy((db: Db) =>
  batched((seen: readonly Seen[]) => writeSeen(db, seen), {
    atMost: MAX_ROUND,
    gatherMs: GATHER_MS,
    isOneItems: isConflict,
  }),
)

/** When the agent was last heard, written as it leaves; those that leave together share a statement, and are locked in one order. */
export async function setSeen(db: Db, printer: Authorized<'edit'>, at: Date): Promise<void> {
  await writerOf(db)({ printer, at })
}

async function writeSeen(db: Db, seen: readonly Seen[]): Promise<readonly void[]> {
  const ids = seen.map(({ printer }) => printer.id)
  const times = seen.map(({ at }) => at)
  await sql`with locked as (select id from printers where id = any(${ids}::integer[]) order by id for no key update)
    update printers set agent_seen_at = seen.at
    from unnest(${ids}::integer[], ${times}::timestamptz[]) as seen (id, at), locked
    where printers.id = seen.id and locked.id = seen.id`.execute(db)
  return seen.map(() => undefined)
}

/** Whose these printers are and what they are called; deleted and archived ones are not among them. */
export async function findOwned(db: Db, printerIds: readonly PrinterId[]) {
  return await db
    .selectFrom('printers')
    .select(['id', 'userId', 'name'])
    .where('id', 'in', [...printerIds])
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .execute()
}
