import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { isFirst } from '../../../http/limits.ts'
import { writeEvent } from '../events/index.ts'
import { findOwned } from './agents.queries.ts'

const TOLD_EVERY_MS = 3_600_000

/** A second agent came with the token of a connected one; its owner hears of it once an hour (docs/wire/agents.md 8.2). */
export async function warnSharedToken(ctx: Ctx, printerId: PrinterId): Promise<void> {
  ctx.log.warn({ printerId }, 'two agents share one token')
  await warn(ctx, printerId, 'agent_shared_token')
}

/** The agent's socket is open and nothing is reported on it (docs/wire/agents.md 8.2 d). */
export async function warnMute(ctx: Ctx, printerId: PrinterId): Promise<void> {
  await warn(ctx, printerId, 'agent_needs_restart')
}

async function warn(ctx: Ctx, printerId: PrinterId, code: string): Promise<void> {
  if (!(await isFirst(ctx, `agent:${printerId}:${code}`, TOLD_EVERY_MS))) return
  const printer = await findOwned(ctx.db, printerId)
  if (printer === undefined) return
  await ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...ctx, db: tx },
      {
        userId: printer.userId,
        printerId,
        printId: null,
        type: 'PRINTER_ERROR',
        class: 'WARNING',
        code,
        params: { printer: printer.name },
      },
    ),
  )
}
