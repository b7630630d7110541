import * as api from '@vigil/contract/slice/presets.ts'
import type { SavedPreset } from '@vigil/contract/slice/presets.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import type { UserId } from '../../../lib/id.ts'
import { profilesNamed } from '../../../lib/slicing/catalogue.ts'
import { BadSetting, type SettingNote } from '../../../lib/slicing/settings.ts'
import { wordsFor } from '../../../lib/slicing/words.ts'
import { presentMachine, presentPreset, readProfiles } from '../profiles/index.ts'
import { type PresetRow, removePreset } from './presets.queries.ts'
import { keepPreset, listPresets, ownMachines } from './presets.service.ts'

/** What people have saved to slice with, and which machines their printers seem to be. */
export function presetRoutes(app: FastifyInstance, ctx: Ctx): void {
  const present = async (row: PresetRow, userId: UserId): Promise<SavedPreset> => {
    const { machine, filament, print } = profilesNamed(await readProfiles(ctx), row)
    return {
      id: row.id,
      name: row.name,
      is_own: row.userId === userId,
      is_shared: row.isShared,
      machine: machine ? presentMachine(machine) : null,
      filament: filament ? presentPreset(filament) : null,
      print_process: print ? presentPreset(print) : null,
      slicer_profiles: {
        machine_sub_path: row.machine,
        filament_sub_path: row.filament,
        print_process_sub_path: row.print,
      },
      profile_overwrites: row.overwrites,
      unsupported: [...notesOf(row, print?.values)],
    }
  }
  route(app, api.listSavedPresets, async ({ principal }) =>
    Promise.all((await listPresets(ctx, principal)).map((row) => present(row, principal.userId))),
  )
  route(app, api.savePreset, async ({ principal: { userId }, body }) =>
    present(await keepPreset(ctx, userId, body), userId),
  )
  route(app, api.deletePreset, async ({ principal: { userId }, params }) => {
    if (!(await removePreset(ctx.db, userId, params.id))) throw notFound()
    return null
  })
  route(app, api.listOwnMachines, async ({ principal }) =>
    (await ownMachines(ctx, principal)).map(({ printer, machine }) => ({
      printer,
      machine: presentMachine(machine),
    })),
  )
}

/** What of a preset this slicer has otherwise; of one whose process is gone nothing can be said. */
function notesOf(
  { overwrites, print }: PresetRow,
  profile: ReadonlyMap<string, string> = new Map(),
): readonly SettingNote[] {
  try {
    return wordsFor({ subPath: print }).theirs(overwrites, profile).notes
  } catch (error) {
    // Another version of ours took it.
    if (error instanceof BadSetting) return []
    throw error
  }
}
