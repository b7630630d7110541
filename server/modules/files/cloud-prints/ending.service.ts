import type { CloudPrintReason } from '@vigil/contract/files/cloud-prints.ts'
import type { Ctx } from '../../../ctx.ts'
import { writeEvent } from '../../core/events/index.ts'
import { tell } from '../../core/presence/index.ts'
import { type CloudPrintRow, nameOf, updateCloudPrint } from './cloud-prints.queries.ts'

const UNDER_WAY: CloudPrintRow['state'][] = ['sending', 'sent', 'downloading', 'storing', 'starting']

/** Why it failed. `isKnown`: who wished for it is told in the answer, or ended it. */
export interface Failure {
  readonly reason: CloudPrintReason
  readonly words?: string | null
  readonly isKnown: boolean
}

/** The print goes on: that its file may not be whole is said. */
export async function tellUnsure(ctx: Ctx, row: CloudPrintRow): Promise<void> {
  const { userId, printerId, printId } = row
  const params = { printer: await nameOf(ctx.db, printerId), file: row.filename }
  const event = { userId, printerId, printId, type: 'PRINTER_ERROR', class: 'WARNING', params } as const
  await writeEvent(ctx, { ...event, code: 'cloud_print_unsure' })
}

/** Ends a hand-over that has failed, once; its owner is told where nobody else does. */
export async function fail(
  ctx: Ctx,
  { id }: Pick<CloudPrintRow, 'id'>,
  { reason, words = null, isKnown }: Failure,
): Promise<void> {
  const endedAt = new Date(ctx.clock.now())
  const row = await ctx.db.transaction().execute(async (tx) => {
    const values = { state: 'failed', reason, words: words?.slice(0, 500) ?? null, endedAt }
    const ended = await updateCloudPrint(tx, id, UNDER_WAY, values)
    if (ended === null || isKnown) return ended
    await writeEvent(
      { ...ctx, db: tx },
      {
        userId: ended.userId,
        printerId: ended.printerId,
        printId: ended.printId,
        type: 'PRINTER_ERROR',
        class: 'ERROR',
        code: `cloud_print_${reason}`,
        params: { printer: await nameOf(tx, ended.printerId), file: ended.filename, words },
      },
    )
    return ended
  })
  if (row !== null) tell(ctx, row.printerId, 'changed')
}
