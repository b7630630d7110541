import { fieldsOf } from '@vigil/contract/fields.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { touchUser } from '../../people/accounts/index.ts'
import { isDatabaseDown } from '../../../engines/db/postgres.ts'
import { readStatus } from '../../core/presence/index.ts'
import { hoursToWatch } from '../../shop/hours/index.ts'
import { shouldWatchOf } from '../../watch/detection/index.ts'
import { currentPrintOf, findCurrentPrint, findTrackers } from '../../prints/prints/index.ts'
import { findAgentPrinter } from '../statuses/reports.queries.ts'
import type { Seen } from '../statuses/freshness.rules.ts'
import type { Facts } from '../statuses/statuses.service.ts'

/** What a session needs to begin. */
export interface Beginning {
  readonly facts: Facts
  readonly shouldWatch: boolean
}

/**
 * What is known of an agent's printer, as soon as the database has it: an agent that was let in is held, not refused
 * (docs/wire/agents.md 8.3). Null when the printer is deleted or archived.
 */
export async function awaitFacts(
  ctx: Ctx,
  printerId: PrinterId,
  isWanted: () => boolean,
): Promise<Beginning | null> {
  for (;;) {
    try {
      return await readFacts(ctx, printerId)
    } catch (error) {
      if (!isDatabaseDown(error) || !isWanted() || ctx.stopping.aborted) throw error
    }
    await sleep(1_000, undefined, { ref: false })
  }
}

/** Reads what is known of an agent's printer; null when it is deleted or archived. */
async function readFacts(ctx: Ctx, printerId: PrinterId): Promise<Beginning | null> {
  const printer = await findAgentPrinter(ctx.db, printerId)
  if (printer === undefined) return null
  const print = await findCurrentPrint(ctx.db, printerId)
  const trackers = await findTrackers(ctx.db, printerId)
  await touchUser(ctx, printer.userId)
  const seen = await readSeen(ctx, printerId)
  const facts: Facts = {
    printerId,
    settings: {
      settings: { ...fieldsOf(printer.agentSettings) },
      agentName: printer.agentName,
      agentVersion: printer.agentVersion,
    },
    print: currentPrintOf(print),
    trackers,
    seen,
    isShown: seen !== null,
    last: null,
    isPaused: false,
    refusedExtId: null,
    refusedUntil: 0,
    refusedFileId: null,
  }
  return {
    facts,
    shouldWatch: shouldWatchOf({ ...printer, detectionHours: hoursToWatch(print, printer.dhBalance), print }),
  }
}

/** The status that an earlier socket of this printer left, if it still lives. */
async function readSeen(ctx: Ctx, printerId: PrinterId): Promise<Seen | null> {
  const status = await readStatus(ctx, printerId)
  if (status === null) return null
  const time = Number(status['_ts'])
  return { raw: time, shown: time, at: ctx.clock.now() }
}
