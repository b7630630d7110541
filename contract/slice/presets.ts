import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, text } from '../values.ts'
import { sliceMachine, slicePreset, sliceNote, sliceOverwrites, sliceProfiles } from './slicer.ts'

const callers = ['session', 'oauth'] as const

/** What somebody has saved to slice with: profiles, and what is changed of them. */
export const savedPreset = z
  .object({
    id: z.int(),
    name: z.string(),
    is_own: z.boolean(),
    /** Others of this home, with IS_ENT of this household, see it. */
    is_shared: z.boolean(),
    /** Null when it is there no more, as the two that follow. */
    machine: sliceMachine.nullable(),
    filament: slicePreset.nullable(),
    print_process: slicePreset.nullable(),
    slicer_profiles: sliceProfiles,
    profile_overwrites: z.record(z.string(), z.string()),
    /** What of it this slicer does not know, or takes for something else. */
    unsupported: z.array(sliceNote),
  })
  .meta({ id: 'SavedPreset' })
export type SavedPreset = z.infer<typeof savedPreset>

export const listSavedPresets = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/presets/',
  callers,
  summary:
    "The caller's saved presets by name, then those that others of this home, with IS_ENT of their households, share",
  response: z.array(savedPreset),
})

const name = text(100)
  .transform((value) => value.trim())
  .pipe(z.string().min(1, { error: 'This field may not be blank.' }))

export const savePreset = endpoint({
  method: 'POST',
  path: '/ent/api/slicer/presets/',
  callers,
  summary: 'Saves a preset; one of the same name becomes this one',
  status: 201,
  body: z.object({
    name,
    slicer_profiles: sliceProfiles,
    profile_overwrites: sliceOverwrites,
    is_shared: z.boolean().default(false),
  }),
  response: savedPreset,
})

export const deletePreset = endpoint({
  method: 'DELETE',
  path: '/ent/api/slicer/presets/:id/',
  callers,
  summary: "Deletes one of the caller's presets",
  params: z.object({ id }),
  response: null,
  status: 204,
})

/** One of the caller's printers, and which of the slicer's machines it seems to be. */
export const ownMachine = z
  .object({
    printer: z.object({ id: z.int(), name: z.string() }),
    machine: sliceMachine,
  })
  .meta({ id: 'OwnMachine' })
export type OwnMachine = z.infer<typeof ownMachine>

export const listOwnMachines = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/my_printers/',
  callers,
  summary: "The caller's printers of which a machine can be proposed: by name, model, bed and nozzle",
  response: z.array(ownMachine),
})
