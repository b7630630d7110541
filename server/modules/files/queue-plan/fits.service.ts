import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { fitOf, knownMachines, knownOf, metadataIn } from '../machines/index.ts'
import { readPresences } from '../../core/presence/index.ts'
import type { Sight } from './bed.rules.ts'
import type { EntryRow } from './queue.queries.ts'
import type { Fits } from './schedule.rules.ts'

type Known = Awaited<ReturnType<typeof knownMachines>>

/** What is known of printers beside their rows: how they stand this moment, and what machines they are. */
export interface Knowledge {
  readonly sights: ReadonlyMap<number, Sight>
  readonly machines: Known
}

interface Printer {
  readonly id: PrinterId
  readonly agentName: string | null
}

/** How printers stand this moment, by id. */
export async function readSights(
  ctx: Pick<Ctx, 'live'>,
  printers: readonly Pick<Printer, 'id'>[],
): Promise<Map<number, Sight>> {
  const ids = printers.map(({ id }) => id)
  const presences = await readPresences(ctx, ids)
  return new Map(presences.map(({ agent, status }, at) => [ids[at] ?? 0, { agent, status }]))
}

/** What is known of printers. Not for inside a transaction: agents are asked. */
export async function readKnowledge(ctx: Ctx, printers: readonly Printer[]): Promise<Knowledge> {
  const machines = await knownMachines(ctx, printers)
  return { sights: await readSights(ctx, printers), machines }
}

/** Whether entries fit printers, as far as is known; each pair is compared once. */
export function fitsOf(rows: readonly EntryRow[], machines: Known): Fits {
  const files = new Map(rows.map((row) => [row.id, metadataIn(row.metadataJson)]))
  const found = new Map<string, ReturnType<Fits>>()
  return (entry, { id }) => {
    const key = `${entry.id} ${id}`
    const known =
      found.get(key) ?? fitOf(files.get(entry.id) ?? {}, machines.get(id) ?? knownOf(null, {})).verdict
    found.set(key, known)
    return known
  }
}
