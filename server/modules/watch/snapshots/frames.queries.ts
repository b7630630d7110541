import { type Insertable, sql } from 'kysely'
import type { Id } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { Frames } from '../../../engines/db/types.gen.ts'

type Column<K extends keyof Insertable<Frames>> = readonly Insertable<Frames>[K][]

const addFrames = statement(
  (
    _db,
    printerIds: Column<'printerId'>,
    printIds: Column<'printId'>,
    pictures: Column<'picture'>,
    numBytes: Column<'numBytes'>,
    widths: Column<'width'>,
    heights: Column<'height'>,
    times: Column<'createdAt'>,
  ) => sql<{ id: Id<'frames'> }>`
    with added as (
      insert into frames (printer_id, print_id, picture, num_bytes, width, height, created_at)
      select printer_id, print_id, picture, num_bytes, width, height, created_at
      from unnest(
        ${printerIds}::integer[], ${printIds}::integer[], ${pictures}::jsonb[], ${numBytes}::integer[],
        ${widths}::integer[], ${heights}::integer[], ${times}::timestamptz[]
      ) with ordinality as frame (printer_id, print_id, picture, num_bytes, width, height, created_at, place)
      order by place
      returning id, print_id
    ), counted as (
      update prints set pictures = prints.pictures + tally.more
      from (select print_id, count(id) as more from added group by print_id) as tally
      where prints.id = tally.print_id
    )
    select id from added order by id`,
)

/** Keeps frames and counts them for their prints, in one statement; returns their keys in the same order. */
export async function insertFrames(db: Db, frames: readonly Insertable<Frames>[]): Promise<Id<'frames'>[]> {
  const rows = await addFrames(
    db,
    frames.map(({ printerId }) => printerId),
    frames.map(({ printId }) => printId),
    frames.map(({ picture }) => picture),
    frames.map(({ numBytes }) => numBytes),
    frames.map(({ width }) => width),
    frames.map(({ height }) => height),
    frames.map(({ createdAt }) => createdAt),
  )
  // Keys are given out in the order of the frames.
  return rows.map(({ id }) => id)
}
