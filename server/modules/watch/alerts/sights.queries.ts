import { sql } from 'kysely'
import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'

/** The look at a print that its alert was raised for. */
export interface AlertSight {
  readonly raw: MediaRef
  /** With boxes, where any were to be drawn. */
  readonly tagged: MediaRef | null
  readonly at: Date
  /** The gauge then, 0..1. */
  readonly normalizedP: number | null
  /** Until when a resume keeps the print from being paused, in milliseconds of the scaled clock. */
  readonly graceUntil: number | null
}

type Sights = Map<number, AlertSight>

/** What stands behind the open alerts of these prints, by print; one that no look spoke for is left out. */
export async function findAlertSights(db: Db, printIds: readonly PrintId[]): Promise<Sights> {
  if (printIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('prints')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('decisions')
          .innerJoin('frames', (join) =>
            join
              .onRef('frames.id', '=', 'decisions.frameId')
              .onRef('frames.createdAt', '=', 'decisions.createdAt'),
          )
          .select(['frames.picture', 'frames.tagged', 'frames.createdAt'])
          .select(sql<number | null>`(decisions.state->>'normalizedP')::double precision`.as('normalizedP'))
          .whereRef('decisions.printId', '=', 'prints.id')
          .where('decisions.decision', '<>', 'none')
          .whereRef('decisions.createdAt', '<=', 'prints.alertedAt')
          .where((or) =>
            or.or([
              or('prints.alertAcknowledgedAt', 'is', null),
              or('decisions.createdAt', '>', or.ref('prints.alertAcknowledgedAt')),
            ]),
          )
          .orderBy('decisions.createdAt', 'desc')
          .limit(1)
          .as('sight'),
      (join) => join.onTrue(),
    )
    .leftJoin('printerPredictions', 'printerPredictions.printerId', 'prints.printerId')
    .select(
      sql<number | null>`(printer_predictions.steady->>'graceUntil')::double precision`.as('graceUntil'),
    )
    .select(['prints.id', 'sight.picture', 'sight.tagged', 'sight.createdAt', 'sight.normalizedP'])
    .where('prints.id', 'in', [...printIds])
    .execute()
  return new Map(
    rows.map(({ id, picture, tagged, createdAt, normalizedP, graceUntil }) => [
      id,
      {
        raw: picture,
        tagged,
        at: createdAt,
        normalizedP,
        graceUntil,
      },
    ]),
  )
}
