import { z } from 'zod'
import { endpoint, plainRefusal } from '../endpoint.ts'
import { storedFileBase } from '../files/gcode-files.ts'
import { id, integer, text, timestamp } from '../values.ts'

const callers = ['session', 'oauth'] as const

/** A filament's or print's profile. Ids and `sub_path` stay; neither is a path of a file. */
export const slicePreset = z
  .object({ id: z.int(), name: z.string(), slicer_profile_url: z.string(), sub_path: z.string() })
  .meta({ id: 'SlicePreset' })
export type SlicePreset = z.infer<typeof slicePreset>

/** A printer with one nozzle, as a profile has it. Lengths in mm. */
export const sliceMachine = z
  .object({
    id: z.int(),
    name: z.string(),
    nozzle_diameter: z.array(z.string()),
    /** Corners of the bed, `220x0`. */
    printable_area: z.array(z.string()),
    printable_height: z.number(),
    sub_path: z.string(),
    default_filament: slicePreset.nullable(),
    default_print_process: slicePreset.nullable(),
  })
  .meta({ id: 'SliceMachine' })
export type SliceMachine = z.infer<typeof sliceMachine>

export const machineBrand = z
  .object({
    brand: z.string(),
    machine_models: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        cover_img_url: z.string().nullable(),
        machines: z.array(sliceMachine),
      }),
    ),
  })
  .meta({ id: 'MachineBrand' })
export type MachineBrand = z.infer<typeof machineBrand>

export const listMachineModels = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/machine_models/',
  callers,
  summary: 'All printers that the slicer has profiles of, by brand',
  response: z.array(machineBrand),
})

const ofMachine = z.object({ machine_id: id })

export const listSliceFilaments = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/filaments/',
  callers,
  summary: "A printer's filaments",
  query: ofMachine,
  response: z.array(slicePreset),
})

export const listPrintProcesses = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/print_processes/',
  callers,
  summary: "A printer's print processes",
  query: ofMachine,
  response: z.array(slicePreset),
})

/** What a profile says, by the keys of OrcaSlicer; values of filaments are lists. */
export const presetValues = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export const getSlicePreset = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/profiles/:id/',
  callers,
  summary: 'What the profile of a printer, a filament or a print process says',
  params: z.object({ id }),
  response: presetValues,
})

/** What somebody has sliced with last; null where nothing was chosen, or it is there no more. */
export const defaultSliceSettings = z
  .object({
    machine: sliceMachine.nullable(),
    filament: slicePreset.nullable(),
    print_process: slicePreset.nullable(),
  })
  .meta({ id: 'DefaultSliceSettings' })
export type DefaultSliceSettings = z.infer<typeof defaultSliceSettings>

export const getSliceSettings = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/user_slice_settings/default/',
  callers,
  summary: 'What the caller slices with',
  response: defaultSliceSettings,
})

export const saveSliceSettings = endpoint({
  method: 'POST',
  path: '/ent/api/slicer/user_slice_settings/default/',
  callers,
  summary: 'Keeps what the caller slices with',
  body: z.object({ machine_id: id, filament_id: id, print_process_id: id }),
  response: defaultSliceSettings,
})

const slicerEngine = z
  .object({
    /** `PrusaSlicer 2.5.0`; null: there is none. */
    name: z.string().nullable(),
    /** Whether STEP files can be brought: PrusaSlicer makes meshes of them. */
    reads_step: z.boolean(),
    /** One that is on its way; 0 to 1. */
    installation: z
      .object({ step: z.enum(['lists', 'download', 'unpack', 'proof']), share: z.number() })
      .nullable(),
    /** Why the last installation came to nothing: a sentence, in the caller's language. */
    failed: z.string().nullable(),
  })
  .meta({ id: 'SlicerEngine' })
export type SlicerEngine = z.infer<typeof slicerEngine>

export const getSlicerEngine = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/engine/',
  callers,
  summary: 'Which slicer there is',
  response: slicerEngine,
})

export const installSlicerEngine = endpoint({
  method: 'POST',
  path: '/ent/api/slicer/engine/install/',
  callers: ['session'],
  summary: 'Installs PrusaSlicer, for administrators: its progress stands in the answer of `engine/`',
  response: slicerEngine,
})

const vector = (least: number, most: number) => {
  const one = z.number().min(least).max(most)
  return z.tuple([one, one, one])
}
const value = z.union([text(200), z.number(), z.boolean(), z.null()])

/** Which profiles, by their `sub_path`. */
export const sliceProfiles = z.object({
  machine_sub_path: text(500),
  filament_sub_path: text(500),
  print_process_sub_path: text(500),
})
/** Over what the profiles say, by the same keys. */
export const sliceOverwrites = z
  .record(text(100), z.union([value, z.array(value).max(16)]))
  .refine((all) => Object.keys(all).length <= 200, { error: 'These are too many.' })
  .default({})

/** What is sliced, with what. `translate` is where the middle of a mesh goes, in mm; degrees; a scale below 0 mirrors. */
export const sliceParams = z.object({
  meshes: z
    .array(
      z.object({
        meshID: z.union([text(100), z.number()]).optional(),
        /** A `mesh_url` of ours. */
        url: text(2000),
        translate: vector(-10_000, 10_000),
        rotate: vector(-100_000, 100_000),
        scale: vector(-10_000, 10_000).refine((all) => all.every((one) => Math.abs(one) >= 0.0001), {
          error: 'A scale may not be 0.',
        }),
      }),
    )
    .min(1)
    .max(100),
  slicer_profiles: sliceProfiles,
  profile_overwrites: sliceOverwrites,
  target_gcode_name: text(200),
})
export type SliceParams = z.input<typeof sliceParams>

/** JSON in a field of a form. */
const inForm = <T extends z.ZodType>(type: T) =>
  z.preprocess((given) => {
    if (typeof given !== 'string') return given
    try {
      const parsed: unknown = JSON.parse(given)
      return parsed
    } catch {
      return given
    }
  }, type)

export const sliced = z.object({ gcode_file_id: z.int(), gcode_file: storedFileBase }).meta({ id: 'Sliced' })
export const sliceWaits = z.object({ job_id: z.string() }).meta({ id: 'SliceWaits' })

export const sliceMeshes = endpoint({
  method: 'POST',
  path: '/ent/api/slicer/slice_settings/',
  callers,
  summary:
    'Slices meshes into a G-code file of the caller; 202 with a job when that takes longer than `wait`',
  upload: 'thumbnail',
  status: 201,
  /** Seconds. */
  query: z.object({ wait: integer(0, 120).default(120) }),
  body: z.object({ params: inForm(sliceParams), jusprint_chat_id: text(64).optional() }),
  answers: {
    202: sliceWaits,
    413: plainRefusal,
    422: z.object({ reason: z.literal('slicing_failed'), error: z.string() }),
  },
  response: z.union([sliced, sliceWaits]),
})

/** What of somebody's settings the slicer does not know, or took for something else (`used`; null: left out). */
export const sliceNote = z.object({ key: z.string(), value: z.string(), used: z.string().nullable() })

export const sliceJob = z
  .object({
    job_id: z.string(),
    status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    /** 0 to 1. */
    progress: z.number(),
    /** How many are before it; 0 when its turn has come. */
    position: z.int(),
    /** Until it is done, as far as that can be told. */
    seconds_left: z.number().nullable(),
    target_gcode_name: z.string(),
    gcode_file_id: z.int().nullable(),
    /** A sentence, in the caller's language. */
    error: z.string().nullable(),
    notes: z.array(sliceNote),
    /** What was asked, to be asked again. */
    params: sliceParams,
    created_at: timestamp,
  })
  .meta({ id: 'SliceJob' })
export type SliceJob = z.infer<typeof sliceJob>

export const listSliceJobs = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/jobs/',
  callers,
  summary: "The caller's last 50 slicings, the newest first",
  response: z.array(sliceJob),
})

const ofJob = z.object({ id })

export const getSliceJob = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/jobs/:id/',
  callers,
  summary: 'How a slicing gets on',
  params: ofJob,
  response: sliceJob,
})

export const cancelSliceJob = endpoint({
  method: 'DELETE',
  path: '/ent/api/slicer/jobs/:id/',
  callers,
  summary: 'Ends a slicing within a second; one that is over is forgotten, its file stays',
  params: ofJob,
  response: null,
  status: 204,
})
