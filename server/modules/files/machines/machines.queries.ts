import type { MachineSaid } from '@vigil/contract/files/machines.ts'
import { sql } from 'kysely'
import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Authorized } from '../../core/access/index.ts'
import type { Told } from './told.rules.ts'

export interface MachineRow {
  readonly told: Told | null
  readonly toldAt: Date | null
  readonly said: Partial<MachineSaid>
}

/** What is known of these printers as machines; one of which nothing is known is not among them. */
export async function findMachines(
  db: Db,
  printerIds: readonly PrinterId[],
): Promise<ReadonlyMap<number, MachineRow>> {
  if (printerIds.length === 0) return new Map()
  const rows = await db.selectFrom('machines').selectAll().where('printerId', 'in', printerIds).execute()
  return new Map(rows.map(({ printerId, ...row }) => [printerId, row]))
}

/** Keeps what an agent told of its printer, unless the printer is no more. */
export async function keepTold(db: Db, printerId: PrinterId, told: Told, at: Date): Promise<void> {
  await sql`
    insert into machines (printer_id, told, told_at)
    select id, ${JSON.stringify(told)}::jsonb, ${at} from printers where id = ${printerId}
    on conflict (printer_id) do update set told = excluded.told, told_at = excluded.told_at`.execute(db)
}

/** Merges what an owner says into what was said before. */
export async function keepSaid(
  db: Db,
  { id }: Authorized<'edit'>,
  change: Partial<MachineSaid>,
): Promise<void> {
  await db
    .insertInto('machines')
    .values({ printerId: id, said: JSON.stringify(change) })
    .onConflict((conflict) =>
      conflict
        .column('printerId')
        .doUpdateSet({ said: sql`machines.said || ${JSON.stringify(change)}::jsonb` }),
    )
    .execute()
}
