import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Prints whose owners let them be looked at, in pages by id; those that are deleted are nobody's to give. */
export async function findConsented(db: Db, after: PrintId, limit: number) {
  return await db
    .selectFrom('prints')
    .select(['id', 'printerId', 'startedAt', 'createdAt', 'alertedAt', 'alertOverwrite'])
    .where('accessConsentedAt', 'is not', null)
    .where('deletedAt', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
export type ConsentedPrint = Awaited<ReturnType<typeof findConsented>>[number]

/** The pictures of a print that its owner has answered. */
export async function findAnsweredShots(db: Db, printId: PrintId) {
  return await db
    .selectFrom('printShotFeedbacks')
    .select(['id', 'image', 'takenAt', 'score', 'answer'])
    .where('printId', '=', printId)
    .where('answer', 'is not', null)
    .orderBy('takenAt')
    .execute()
}

/** The pictures of its first layer that its owner has answered. */
export async function findAnsweredLayerImages(db: Db, printId: PrintId) {
  return await db
    .selectFrom('firstLayerImages as image')
    .innerJoin('firstLayerInspections as layer', 'layer.id', 'image.inspectionId')
    .select(['image.id', 'image.picture', 'image.takenAt', 'image.answer', 'layer.score'])
    .where('layer.printId', '=', printId)
    .where('image.answer', 'is not', null)
    .orderBy('image.takenAt')
    .execute()
}

/** The frames that are kept of a print, in order. */
export async function findFrames(db: Db, printId: PrintId) {
  return await db
    .selectFrom('frames')
    .select(['id', 'picture', 'createdAt'])
    .where('printId', '=', printId)
    .orderBy('createdAt')
    .execute()
}
