import type { Insertable, Selectable, Updateable } from 'kysely'
import { type Id, type PrinterId, type PrintId, sought } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { FirstLayerImages, FirstLayerInspections } from '../../../engines/db/types.gen.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Authorized, type PrinterAction, printersVisibleTo } from '../../core/access/index.ts'

export type InspectionRow = Selectable<FirstLayerInspections>
export type ImageRow = Selectable<FirstLayerImages>

/** The print that a printer prints now, and what is known of its first layer. */
export async function findCurrentLayer(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('printers')
    .innerJoin('prints', 'prints.id', 'printers.currentPrintId')
    .leftJoin('firstLayerInspections as layer', 'layer.printId', 'prints.id')
    .select([
      'prints.id as printId',
      'layer.id as inspectionId',
      'layer.pictures',
      'layer.lastPictureAt',
      'layer.doneAt',
    ])
    .where('printers.id', '=', printerId)
    .where('printers.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** The inspection of a print, made if there is none. */
export async function openInspection(db: Db, printId: PrintId): Promise<Id<'firstLayerInspections'>> {
  await db
    .insertInto('firstLayerInspections')
    .values({ printId })
    .onConflict((conflict) => conflict.column('printId').doNothing())
    .execute()
  const row = await db
    .selectFrom('firstLayerInspections')
    .select('id')
    .where('printId', '=', printId)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Keeps a picture and counts it; false when this inspection has it already or takes no more. */
export async function insertImage(db: Db, image: Insertable<FirstLayerImages>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('firstLayerImages')
    .values(image)
    .onConflict((conflict) => conflict.columns(['inspectionId', 'hash']).doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return false
  await db
    .updateTable('firstLayerInspections')
    .set((eb) => ({ pictures: eb('pictures', '+', 1), lastPictureAt: image.takenAt }))
    .where('id', '=', image.inspectionId)
    .execute()
  return true
}

/** The unfinished first layers of a printer, locked until the transaction ends. */
export async function lockUnfinished(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('firstLayerInspections as layer')
    .innerJoin('prints', 'prints.id', 'layer.printId')
    .select(['layer.id', 'prints.userId'])
    .where('prints.printerId', '=', printerId)
    .where('layer.doneAt', 'is', null)
    .forUpdate('layer')
    .execute()
}

/** First layers that nobody ended since `before`, or that were ended before it and are not judged yet. */
export async function findForgotten(db: Db, before: Date) {
  return await db
    .selectFrom('firstLayerInspections')
    .select('id')
    .where('judgedAt', 'is', null)
    .where((eb) => eb(eb.fn.coalesce('doneAt', 'lastPictureAt', 'createdAt'), '<', before))
    .limit(1000)
    .execute()
}

/** An inspection with its printer; undefined when its print is gone. */
export async function findInspection(db: Db, id: Id<'firstLayerInspections'>) {
  return await db
    .selectFrom('firstLayerInspections as layer')
    .innerJoin('prints', 'prints.id', 'layer.printId')
    .selectAll('layer')
    .select(['prints.printerId', 'prints.userId'])
    .where('layer.id', '=', id)
    .where('prints.deletedAt', 'is', null)
    .executeTakeFirst()
}

export async function updateInspection(
  db: Db,
  id: Id<'firstLayerInspections'>,
  values: Updateable<FirstLayerInspections>,
): Promise<void> {
  await db
    .updateTable('firstLayerInspections')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', id)
    .execute()
}

/** Keeps what the detector sees in a picture. */
export async function keepSight(db: Db, id: Id<'firstLayerImages'>, sight: string): Promise<void> {
  await db
    .updateTable('firstLayerImages')
    .set({ sight, updatedAt: new Date() })
    .where('id', '=', id)
    .execute()
}

/** Writes columns of a picture of this printer's first layers. */
export async function updateImage(
  db: Db,
  { id: printerId }: Authorized<'edit'>,
  id: number,
  values: Updateable<FirstLayerImages>,
): Promise<ImageRow> {
  return await db
    .updateTable('firstLayerImages')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', sought<'firstLayerImages'>(id))
    .where('inspectionId', 'in', (eb) =>
      eb
        .selectFrom('firstLayerInspections as layer')
        .innerJoin('prints', 'prints.id', 'layer.printId')
        .select('layer.id')
        .where('prints.printerId', '=', printerId),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes pictures out of what an owner is shown. */
export async function hideImages(db: Db, ids: readonly Id<'firstLayerImages'>[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('firstLayerImages').set({ shown: false }).where('id', 'in', ids).execute()
}

export async function deleteImages(db: Db, ids: readonly Id<'firstLayerImages'>[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('firstLayerImages').where('id', 'in', ids).execute()
}

export interface LayerScope {
  readonly principal: UserPrincipal
  readonly action: PrinterAction
}

/** Judged first layers of the prints that the caller may see (docs/wire/rest.md 2). */
function layersOf(db: Db, { principal, action }: LayerScope) {
  const visible = printersVisibleTo(db, { principal, action, withArchived: true, withDeleted: true })
  return db
    .selectFrom('firstLayerInspections as layer')
    .innerJoin('prints', 'prints.id', 'layer.printId')
    .where('layer.judgedAt', 'is not', null)
    .where('prints.deletedAt', 'is', null)
    .where('prints.printerId', 'in', visible.select('printers.id'))
}

export interface LayerPage {
  readonly start: number
  readonly limit: number
  readonly print_id?: number | undefined
}

export async function findLayers(db: Db, scope: LayerScope, page: LayerPage): Promise<InspectionRow[]> {
  let query = layersOf(db, scope).selectAll('layer')
  if (page.print_id !== undefined) query = query.where('layer.printId', '=', sought<'prints'>(page.print_id))
  return await query.orderBy('layer.id', 'desc').offset(page.start).limit(page.limit).execute()
}

/** The judged first layers of some prints. */
export async function findLayersOf(
  db: Db,
  scope: LayerScope,
  printIds: readonly number[],
): Promise<InspectionRow[]> {
  return await layersOf(db, scope)
    .selectAll('layer')
    .where('layer.printId', 'in', printIds.map(sought<'prints'>))
    .orderBy('layer.id')
    .execute()
}

/** Shown pictures of inspections, in the order they were taken. */
export async function findImagesOf(
  db: Db,
  inspectionIds: readonly Id<'firstLayerInspections'>[],
): Promise<ImageRow[]> {
  if (inspectionIds.length === 0) return []
  return await db
    .selectFrom('firstLayerImages')
    .selectAll()
    .where('inspectionId', 'in', inspectionIds)
    .where('shown', '=', true)
    .orderBy('takenAt')
    .orderBy('id')
    .execute()
}

/** Every picture of an inspection, in the order they were taken; those not shown are there until the film is made. */
export async function findAllImages(db: Db, inspectionId: Id<'firstLayerInspections'>): Promise<ImageRow[]> {
  return await db
    .selectFrom('firstLayerImages')
    .selectAll()
    .where('inspectionId', '=', inspectionId)
    .orderBy('takenAt')
    .orderBy('id')
    .execute()
}

const imagesOf = (db: Db, scope: LayerScope) =>
  db
    .selectFrom('firstLayerImages as image')
    .where('image.inspectionId', 'in', layersOf(db, scope).select('layer.id'))
    .where('image.shown', '=', true)
    .selectAll('image')

export async function findImagePage(db: Db, scope: LayerScope, page: LayerPage): Promise<ImageRow[]> {
  let query = imagesOf(db, scope)
  if (page.print_id !== undefined) {
    query = query.where('image.inspectionId', 'in', (eb) =>
      eb
        .selectFrom('firstLayerInspections')
        .select('firstLayerInspections.id')
        .where('printId', '=', sought<'prints'>(page.print_id!)),
    )
  }
  return await query
    .orderBy('image.inspectionId', 'desc')
    .orderBy('image.takenAt')
    .orderBy('image.id')
    .offset(page.start)
    .limit(page.limit)
    .execute()
}

export async function findImage(db: Db, scope: LayerScope, id: number): Promise<ImageRow | undefined> {
  return await imagesOf(db, scope).where('image.id', '=', sought<'firstLayerImages'>(id)).executeTakeFirst()
}

/** The inspection of an image, locked until the transaction ends. */
export async function lockInspection(db: Db, id: Id<'firstLayerInspections'>) {
  return await db
    .selectFrom('firstLayerInspections as layer')
    .innerJoin('prints', 'prints.id', 'layer.printId')
    .select(['layer.creditedAt', 'layer.judgedAt', 'layer.printId', 'prints.userId', 'prints.printerId'])
    .where('layer.id', '=', id)
    .forUpdate('layer')
    .executeTakeFirst()
}

/** How many pictures of an inspection the owner has said nothing about. */
export async function countUnanswered(db: Db, inspectionId: Id<'firstLayerInspections'>): Promise<number> {
  const { count } = await db
    .selectFrom('firstLayerImages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('inspectionId', '=', inspectionId)
    .where('shown', '=', true)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
