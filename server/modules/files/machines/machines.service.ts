import { setTimeout as sleep } from 'node:timers/promises'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { isFirst } from '../../../http/limits.ts'
import { type AgentKind, agentKindOf, askAgent, type Question } from '../../core/passthru/index.ts'
import { readPresences } from '../../core/presence/index.ts'
import { type KnownMachine, knownOf } from './fit.rules.ts'
import { findMachines, keepTold, type MachineRow } from './machines.queries.ts'
import { type Told, toldByKlipper, toldByOctoPrint } from './told.rules.ts'

/** A printer of which is asked, and which agent it has. */
export interface AgentPrinter {
  readonly id: PrinterId
  readonly agentName: string | null
}

/** Beds and nozzles change rarely. */
const FRESH_MS = 6 * 3_600_000
const AGAIN_MS = 60_000
const ANSWERS_IN_MS = 10_000
/** Who looks at a page waits this long for agents of which nothing is known yet. */
const PATIENCE_MS = 2_500
const AT_ONCE = 20

const QUESTIONS: Record<AgentKind, [Question, (answer: unknown) => Told | null]> = {
  octoprint: [{ target: '_printer', func: 'get_current_connection', args: [] }, toldByOctoPrint],
  klipper: [
    {
      target: 'moonraker_api',
      func: 'printer/objects/query',
      kwargs: { verb: 'get', configfile: 'settings', toolhead: 'axis_minimum,axis_maximum' },
    },
    toldByKlipper,
  ],
}

const NOTHING: MachineRow = { told: null, toldAt: null, said: {} }

/**
 * What is told and said of printers as machines, by printer. Agents that have not told for long are asked meanwhile; for those that never
 * have, and are connected, it waits a moment.
 */
export async function machinesOf(
  ctx: Ctx,
  printers: readonly AgentPrinter[],
): Promise<ReadonlyMap<number, MachineRow>> {
  const ids = printers.map(({ id }) => id)
  const known = await findMachines(ctx.db, ids)
  const presences = await readPresences(ctx, ids)
  const now = ctx.clock.now()
  const old = printers.filter(({ id }, i) => {
    const toldAt = known.get(id)?.toldAt
    return presences[i]?.agent != null && (toldAt == null || now - toldAt.getTime() > FRESH_MS)
  })
  const learning = old.slice(0, AT_ONCE).map((printer) => learnMachine(ctx, printer))
  if (old.every(({ id }) => known.get(id)?.told)) return filled(ids, known)
  await Promise.race([Promise.all(learning), sleep(PATIENCE_MS, undefined, { ref: false })])
  return filled(ids, await findMachines(ctx.db, ids))
}

/** The same as one machine each, to be compared with files. */
export async function knownMachines(
  ctx: Ctx,
  printers: readonly AgentPrinter[],
): Promise<ReadonlyMap<number, KnownMachine>> {
  const rows = await machinesOf(ctx, printers)
  return new Map([...rows].map(([id, { told, said }]) => [id, knownOf(told, said)]))
}

/** Asks a printer's agent what machine it has, and keeps it; once a minute at most. Never raises an error. */
async function learnMachine(ctx: Ctx, { id, agentName }: AgentPrinter): Promise<void> {
  try {
    if (!(await isFirst(ctx, `machine:${id}:asked`, AGAIN_MS))) return
    const [question, read] = QUESTIONS[agentKindOf(agentName)]
    const told = read(await askAgent(ctx, id, question, ANSWERS_IN_MS))
    if (told !== null) await keepTold(ctx.db, id, told, new Date(ctx.clock.now()))
  } catch (error) {
    ctx.log.warn({ err: error, printerId: id }, 'what machine a printer is could not be learnt')
  }
}

const filled = (ids: readonly number[], known: ReadonlyMap<number, MachineRow>) =>
  new Map(ids.map((id) => [id, known.get(id) ?? NOTHING]))
