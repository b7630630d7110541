import type { Ctx } from '../../ctx.ts'
import { removeAgentRecord, writeAgentRecord } from '../commands/index.ts'
import { type PrinterNews, topics } from '../presence/index.ts'
import { setSeen } from './agents.queries.ts'
import type { Standing } from './vitals.rules.ts'

/** When that was which stands on the monotonic clock, in milliseconds since 1970. */
const timeOf = ({ clock }: Ctx, monotonic: number) => clock.now() - (clock.monotonic() - monotonic)

/** Says on all nodes how an agent stands whose last status came at `shownAt`. A store that is away hears it with the next beat. */
export function tellStanding(
  ctx: Ctx,
  { printerId, epoch, shownAt }: { printerId: number; epoch: number; shownAt: number | null },
  { state, needsRestart, heardAt }: Standing,
): void {
  const reportedAt = shownAt === null ? null : timeOf(ctx, shownAt)
  const record = { state, seenAt: timeOf(ctx, heardAt), reportedAt, needsRestart, epoch }
  writeAgentRecord(ctx, printerId, record, ctx.clock.monotonic() - heardAt).catch(() => undefined)
}

/** The server stops, not the agent: other nodes, and this one after a restart, wait for it. */
export async function keepPlace(ctx: Ctx, printerId: number): Promise<void> {
  const seenAt = ctx.clock.now()
  const record = { state: 'waiting', seenAt, reportedAt: null, needsRestart: false, epoch: 0 } as const
  await writeAgentRecord(ctx, printerId, record, 0)
}

/** The agent has left: it is offline, and was last heard then (on the monotonic clock). */
export async function tellLeft(ctx: Ctx, printerId: number, heardAt: number): Promise<void> {
  await removeAgentRecord(ctx, printerId)
  await noteLeft(ctx, printerId, timeOf(ctx, heardAt))
}

/** An agent left: its browsers say since when. `at` in milliseconds since 1970. */
async function noteLeft(ctx: Ctx, printerId: number, at: number): Promise<void> {
  await setSeen(ctx.db, printerId, new Date(at))
  ctx.live.publish(topics.news(printerId), JSON.stringify({ kind: 'changed' } satisfies PrinterNews))
}
