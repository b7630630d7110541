import { plainEventText, safeEventText, webAddress } from '@vigil/contract/core/event-text.ts'
import { randomBytes } from 'node:crypto'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { notFound } from '../../../http/errors.ts'
import type { PrinterPrincipal } from '../../../http/principal.ts'
import { ofAgent } from '../../core/access/index.ts'
import { tell } from '../../core/presence/index.ts'
import { cleanPicture } from '../../watch/detection/index.ts'
import { type EventClass, type EventType, writeEvent } from '../../core/events/index.ts'
import { findCurrentPrint, takeStill } from '../../prints/prints/index.ts'
import { type AgentPrinter, findAgentPrinter, renamePrinter } from '../statuses/reports.queries.ts'

/** The agent's printer; raises 404 when it has just been deleted. */
export async function agentPrinterOf(ctx: Ctx, printerId: PrinterId): Promise<AgentPrinter> {
  const printer = await findAgentPrinter(ctx.db, printerId)
  if (printer === undefined) throw notFound()
  return printer
}

/** The agent's wizard names the printer (docs/wire/agents.md 3.1). */
export async function rename(
  ctx: Ctx,
  principal: PrinterPrincipal,
  name: string | undefined,
): Promise<AgentPrinter> {
  const { printerId } = principal
  if (name !== undefined) {
    await renamePrinter(ctx.db, ofAgent(principal), name)
    tell(ctx, printerId, 'changed')
  }
  return await agentPrinterOf(ctx, printerId)
}

/** What an agent posts about its printer. */
export interface AgentEvent {
  readonly type: EventType
  readonly class: EventClass
  readonly title: string
  readonly text: string
  readonly infoUrl: string | undefined
  readonly picture: Buffer | null
  /** Its owner is to be told, where they want that. */
  readonly notify: boolean
}

/** Writes an agent's event for the current print, if any (docs/wire/agents.md 3.3). */
export async function takeEvent(
  ctx: Ctx,
  { printerId, userId }: PrinterPrincipal,
  event: AgentEvent,
): Promise<void> {
  const isFilament = event.type === 'FILAMENT_CHANGE'
  const image = event.picture
    ? await storeSnapshot(ctx, printerId, event.picture)
    : isFilament
      ? await takeStill(ctx, printerId)
      : null
  const print = await findCurrentPrint(ctx.db, printerId)
  const params = { printer: (await agentPrinterOf(ctx, printerId)).name, file: print?.filename ?? '' }
  await ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...ctx, db: tx },
      {
        userId,
        printerId,
        printId: print?.id ?? null,
        type: event.type,
        class: event.class,
        code: isFilament ? 'filament_change' : null,
        params,
        image,
        infoUrl: webAddress(event.infoUrl ?? '') ?? null,
        title: plainEventText(event.title),
        text: safeEventText(event.text),
        isToBeTold: event.notify,
      },
    ),
  )
}

async function storeSnapshot(ctx: Ctx, printerId: PrinterId, bytes: Buffer): Promise<MediaRef> {
  const picture = await cleanPicture(bytes)
  const name = `${ctx.clock.now()}-${randomBytes(4).toString('hex')}.jpg`
  const ref: MediaRef = { container: 'tsd-pics', path: `snapshots/${printerId}/${name}` }
  await ctx.files.put(ref, picture.bytes)
  return ref
}
