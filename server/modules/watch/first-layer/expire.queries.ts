import type { Id } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

const layersWithPrinter = (db: Db) =>
  db
    .selectFrom('firstLayerInspections as layer')
    .innerJoin('prints', 'prints.id', 'layer.printId')
    .select(['layer.id', 'prints.printerId'])
    .limit(200)

/** First layers whose print is deleted. */
export async function findDeletedLayers(db: Db) {
  return await layersWithPrinter(db).where('prints.deletedAt', 'is not', null).execute()
}

/** Judged first layers with files whose last picture is older than `before` and whose print is not running. */
export async function findOldLayers(db: Db, before: Date) {
  return await layersWithPrinter(db)
    .leftJoin('printers', 'printers.currentPrintId', 'prints.id')
    .where('printers.id', 'is', null)
    .where('layer.judgedAt', 'is not', null)
    .where('layer.lastPictureAt', '<', before)
    .where((eb) =>
      eb.or([
        eb('layer.dataJson', 'is not', null),
        eb.exists(
          eb
            .selectFrom('firstLayerImages as image')
            .select('image.id')
            .whereRef('image.inspectionId', '=', 'layer.id'),
        ),
      ]),
    )
    .execute()
}

/** Deletes an inspection with its pictures' rows. */
export async function deleteLayer(db: Db, id: Id<'firstLayerInspections'>): Promise<void> {
  await db.deleteFrom('firstLayerInspections').where('id', '=', id).execute()
}

/** Leaves an inspection its score and nothing that refers to a file. */
export async function emptyLayer(db: Db, id: Id<'firstLayerInspections'>): Promise<void> {
  await db.deleteFrom('firstLayerImages').where('inspectionId', '=', id).execute()
  await db
    .updateTable('firstLayerInspections')
    .set({ poster: null, video: null, dataJson: null })
    .where('id', '=', id)
    .execute()
}
