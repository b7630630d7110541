import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import * as api from '@vigil/contract/slice/slicer.ts'
import type { DefaultSliceSettings, SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { stream } from '../../../http/stream.ts'
import type { Machine, MachineModel, Preset } from '../../../lib/slicing/catalogue.ts'
import { factsOf } from '../../../lib/slicing/facts.ts'
import { wordsFor } from '../../../lib/slicing/words.ts'
import type { UserId } from '../../../lib/id.ts'
import { findSettings, keepSettings } from './profiles.queries.ts'
import { coverPath, readProfiles } from './profiles.service.ts'

/** A profile of a filament or print, as it is shown. */
export const presentPreset = ({ id, name, subPath }: Preset): SlicePreset => ({
  id,
  name,
  slicer_profile_url: `/ent/api/slicer/profiles/${id}/`,
  sub_path: subPath,
})

/** A printer with one nozzle, as it is shown. */
export const presentMachine = (machine: Machine): SliceMachine => ({
  id: machine.id,
  name: machine.name,
  nozzle_diameter: [...machine.nozzles],
  printable_area: machine.bed.map(([x, y]) => `${x}x${y}`),
  printable_height: machine.height,
  sub_path: machine.subPath,
  default_filament: machine.filament && presentPreset(machine.filament),
  default_print_process: machine.print && presentPreset(machine.print),
})

const presentModel = ({ id, name, machines }: MachineModel) => ({
  id,
  name,
  cover_img_url: `/ent/api/slicer/machine_models/${id}/cover.png`,
  machines: machines.map(presentMachine),
})

/** What the slicer knows of printers, filaments and processes, and what somebody slices with. */
export function profileRoutes(app: FastifyInstance, ctx: Ctx): void {
  const machineAt = async (id: number) => {
    const machine = (await readProfiles(ctx)).machines.get(id)
    if (!machine) throw notFound()
    return machine
  }
  route(app, api.listMachineModels, async () =>
    (await readProfiles(ctx)).brands.map(({ brand, models }) => ({
      brand,
      machine_models: models.map(presentModel),
    })),
  )
  route(app, api.listSliceFilaments, async ({ query }) =>
    (await machineAt(query.machine_id)).filaments.map(presentPreset),
  )
  route(app, api.listPrintProcesses, async ({ query }) =>
    (await machineAt(query.machine_id)).prints.map(presentPreset),
  )
  route(app, api.getSlicePreset, async ({ params }) => {
    const { presets, machines } = await readProfiles(ctx)
    const preset = presets.get(params.id)
    if (preset)
      return {
        ...factsOf(preset.kind, preset.values),
        ...wordsFor(preset).ours(preset.kind, preset.values),
      }
    const machine = machines.get(params.id)
    if (!machine) throw notFound()
    return factsOf('machine', machine.values)
  })
  route(app, api.getSliceSettings, async ({ principal }) => await settingsOf(ctx, principal.userId))
  route(app, api.saveSliceSettings, async ({ principal: { userId }, body }) => {
    const machine = (await readProfiles(ctx)).machines.get(body.machine_id)
    if (!machine) throw invalid({ machine_id: 'Object does not exist.' })
    for (const [field, all] of [
      ['filament_id', machine.filaments],
      ['print_process_id', machine.prints],
    ] as const)
      if (!all.some(({ id }) => id === body[field])) throw invalid({ [field]: 'Object does not exist.' })
    const { machine_id, filament_id, print_process_id } = body
    await keepSettings(ctx.db, userId, {
      machine: machine_id,
      filament: filament_id,
      printProcess: print_process_id,
    })
    return await settingsOf(ctx, userId)
  })
  covers(app, ctx)
}

/** What a profile of other days named is there no more: then it is null. */
async function settingsOf(ctx: Ctx, userId: UserId): Promise<DefaultSliceSettings> {
  const kept = await findSettings(ctx.db, userId)
  const { machines } = await readProfiles(ctx)
  const machine = kept && machines.get(kept.machine)
  const filament = machine?.filaments.find(({ id }) => id === kept?.filament)
  const print = machine?.prints.find(({ id }) => id === kept?.printProcess)
  return {
    machine: machine ? presentMachine(machine) : null,
    filament: filament ? presentPreset(filament) : null,
    print_process: print ? presentPreset(print) : null,
  }
}

function covers(app: FastifyInstance, ctx: Ctx): void {
  stream(
    app,
    { path: '/ent/api/slicer/machine_models/:id/cover.png', callers: ['session', 'oauth'] },
    async ({ params }) => {
      const model = (await readProfiles(ctx)).models.get(Number(params['id']))
      const path = model ? await coverPath(ctx, model) : null
      if (path === null) throw notFound()
      const { size, mtime } = await stat(path)
      return {
        numBytes: size,
        modifiedAt: mtime,
        etag: `"${size}-${mtime.getTime()}"`,
        headers: { 'content-type': 'image/png', 'cache-control': 'private, max-age=86400' },
        open: (part) => Promise.resolve(createReadStream(path, part)),
      }
    },
  )
}
