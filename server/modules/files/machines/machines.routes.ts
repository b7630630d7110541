import {
  getMachine,
  listPrinterFits,
  type Machine,
  type MachineTold,
  patchMachine,
} from '@vigil/contract/files/machines.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import type { Metadata } from '../../../lib/gcode/metadata.ts'
import { printersVisibleTo, requirePrinter } from '../../core/access/index.ts'
import { findOwnFile } from '../gcode-files/index.ts'
import { fitOf, knownOf } from './fit.rules.ts'
import { keepSaid, type MachineRow } from './machines.queries.ts'
import type { Told } from './told.rules.ts'
import { type AgentPrinter, knownMachines, machinesOf } from './machines.service.ts'

/** A home has a few printers, a farm some hundreds. */
const MOST_PRINTERS = 1000

/** What printers are as machines, and which can print a file (docs/wire/rest.md 9). */
export function machineRoutes(app: FastifyInstance, ctx: Ctx): void {
  const read = async (printer: AgentPrinter) => present((await machinesOf(ctx, [printer])).get(printer.id))

  route(app, getMachine, async ({ principal, params }) =>
    read(await requirePrinter(ctx, principal, params.id, 'see', { withArchived: true })),
  )
  route(app, patchMachine, async ({ principal, params, body }) => {
    const printer = await requirePrinter(ctx, principal, params.id, 'edit', { withArchived: true })
    await keepSaid(ctx.db, printer, body)
    return await read(printer)
  })
  route(app, listPrinterFits, async ({ principal, params }) => {
    const file = await findOwnFile(ctx.db, principal.userId, params.id)
    if (file === null) throw notFound()
    const printers = await printersVisibleTo(ctx.db, { principal, action: 'see', isOwn: true })
      .select(['printers.id', 'printers.name', 'printers.agentName'])
      .orderBy('printers.id')
      .limit(MOST_PRINTERS)
      .execute()
    const known = await knownMachines(ctx, printers)
    const metadata = metadataIn(file.metadataJson)
    return printers.map(({ id, name }) => ({
      printer: { id, name },
      fit: fitOf(metadata, known.get(id) ?? knownOf(null, {})),
    }))
  })
}

/** What is known of a file, as it is kept with it; nothing when that is nothing. */
export function metadataIn(json: string | null): Partial<Metadata> {
  try {
    const value: unknown = JSON.parse(json ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function present(row: MachineRow | undefined): Machine {
  const { told = null, toldAt = null, said = {} } = row ?? {}
  return {
    said: { bed_width: null, bed_depth: null, height: null, nozzle_diameter: null, model: null, ...said },
    told: told === null ? null : shown(told),
    told_at: toldAt?.toISOString() ?? null,
  }
}

/** Where its bed lies is for us to compare. */
function shown(told: Told): MachineTold {
  const { bed: _, ...rest } = told
  return rest
}
