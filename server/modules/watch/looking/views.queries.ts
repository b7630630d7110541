import { sql } from 'kysely'
import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** What is kept of a printer's camera (engines/inference/kept-view.ts). */
export async function findView(db: Db, printerId: PrinterId): Promise<Buffer | null> {
  const row = await db
    .selectFrom('cameraViews')
    .select('view')
    .where('printerId', '=', printerId)
    .executeTakeFirst()
  return row?.view ?? null
}

/** Keeps the views of cameras in one statement; a printer that is deleted meanwhile keeps none. */
export async function saveViews(
  db: Db,
  rows: readonly { printerId: PrinterId; view: Buffer }[],
): Promise<void> {
  const ids = rows.map(({ printerId }) => printerId)
  const views = rows.map(({ view }) => view)
  await sql`
    insert into camera_views (printer_id, view)
    select printers.id, given.view
    from unnest(${ids}::integer[], ${views}::bytea[]) as given (printer_id, view)
    join printers on printers.id = given.printer_id and printers.deleted_at is null
    order by printers.id
    on conflict (printer_id) do update set view = excluded.view, updated_at = now()`.execute(db)
}

export async function deleteView(db: Db, printerId: PrinterId): Promise<void> {
  await db.deleteFrom('cameraViews').where('printerId', '=', printerId).execute()
}
