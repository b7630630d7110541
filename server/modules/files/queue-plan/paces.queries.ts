import { sql } from 'kysely'
import type { FileId, PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Of each printer, so many prints are looked at. */
const LAST = 50

/** How much longer the last prints of each printer took than their files say, by printer: the middle of them. */
export async function findPaces(db: Db, printerIds: readonly PrinterId[]): Promise<Map<number, number>> {
  if (printerIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; pace: number | null }>`
    select printer.id, (
      select percentile_cont(0.5) within group (order by recent.print_time / file.estimated_time) from (
        select print_time, finished_at, g_code_file_id from prints
        where printer_id = printer.id and ext_id is not null order by ext_id desc limit ${LAST}
      ) recent join g_code_files file on file.id = recent.g_code_file_id
      where recent.finished_at is not null and recent.print_time > 0 and file.estimated_time > 0
    ) as pace from unnest(${[...printerIds]}::int[]) as printer (id)`.execute(db)
  return new Map(rows.flatMap(({ id, pace }) => (pace === null ? [] : [[id, pace] as const])))
}

/** What files took when they were last printed to their end, on any printer: seconds, by file. */
export async function findTimesTaken(db: Db, fileIds: readonly FileId[]): Promise<Map<number, number>> {
  if (fileIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; seconds: number }>`
    select distinct on (g_code_file_id) g_code_file_id as id, print_time as seconds from prints
    where g_code_file_id = any(${[...fileIds]}::int[]) and finished_at is not null and print_time > 0
    order by g_code_file_id, id desc`.execute(db)
  return new Map(rows.map(({ id, seconds }) => [id, seconds]))
}
