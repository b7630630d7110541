import type { Ctx } from '../../../ctx.ts'
import { isFirst } from '../../../http/limits.ts'
import { batched } from '../../../lib/batch.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { keptBy } from '../../../lib/of-server.ts'
import { writeEvents } from '../events/index.ts'
import { findOwned } from './agents.queries.ts'

/** What is wrong of an agent that is connected (docs/wire/agents.md 8.2). */
interface Warning {
  readonly printerId: PrinterId
  /** `agent_shared_token`: a second one came with its token. `agent_needs_restart`: nothing is reported on its socket. */
  readonly code: 'agent_shared_token' | 'agent_needs_restart'
}

const TOLD_EVERY_MS = 3_600_000
/** Thousands may be mute in the same moment, and be one owner's, whose count takes one at a time. */
const AT_ONCE = 200
const GATHER_MS = 100

const writerOf = keptBy((ctx: Ctx) =>
  batched((warnings: readonly Warning[]) => write(ctx, warnings), {
    atMost: AT_ONCE,
    gatherMs: GATHER_MS,
    isOneItems: () => false,
  }),
)

/** Tells the owner, once an hour for each printer and code. One that could not be written down is told at the next occasion. */
export async function warn(ctx: Ctx, warning: Warning): Promise<void> {
  const key = `agent:${warning.printerId}:${warning.code}`
  if (!(await isFirst(ctx, key, TOLD_EVERY_MS))) return
  try {
    await writerOf(ctx)(warning)
  } catch (error) {
    await ctx.live.put(key, null, TOLD_EVERY_MS)
    throw error
  }
}

async function write(ctx: Ctx, warnings: readonly Warning[]): Promise<readonly void[]> {
  const printers = await findOwned(
    ctx.db,
    warnings.map(({ printerId }) => printerId),
  )
  const byId = new Map(printers.map((printer) => [printer.id, printer]))
  const events = warnings.flatMap(({ printerId, code }) => {
    const printer = byId.get(printerId)
    if (printer === undefined) return []
    const { userId, name } = printer
    const params = { printer: name }
    return {
      userId,
      printerId,
      printId: null,
      type: 'PRINTER_ERROR',
      class: 'WARNING',
      code,
      params,
    } as const
  })
  await ctx.db.transaction().execute((tx) => writeEvents({ ...ctx, db: tx }, events))
  return warnings.map(() => undefined)
}
