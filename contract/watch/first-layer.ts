import { z } from 'zod'
import { managers, readers } from '../callers.ts'
import { damagedPicture, endpoint } from '../endpoint.ts'
import { flag, id, number, page, text, timestamp, upload } from '../values.ts'

/** What a picture of a first layer may show (docs/wire/rest.md 5.3, First layer inspection). */
export const LAYER_LABELS = [
  'bubbling',
  'raisedRipples',
  'bumpsAndRoughSurface',
  'detached',
  'gaps',
  'other',
  'noIssues',
  'notANozzleCam',
] as const
const layerLabel = z.enum(LAYER_LABELS)
export type LayerLabel = z.infer<typeof layerLabel>

/** A to F by score: 80, 60, 40 and 20 are the borders. */
const layerGrade = z.enum(['A', 'B', 'C', 'D', 'F'])
export type LayerGrade = z.infer<typeof layerGrade>

/** One picture of an inspection. `labels` are the owner's answer where there is one, else what the model saw. */
export const firstLayerImage = z
  .object({
    id: z.int(),
    first_layer_inspection: z.int(),
    image_url: z.string(),
    /** Names of `LAYER_LABELS`, joined by `|`. */
    labels: z.string(),
    /** What the owner said, joined by `|`. */
    answer: z.string().nullable(),
    answered_at: timestamp.nullable(),
    /** Hours that this picture's answer earned: 3 for the last one of an inspection, else 0. Answered again it earns none. */
    credited_dhs: z.number(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'FirstLayerInspectionImage' })
export type FirstLayerImage = z.infer<typeof firstLayerImage>

/** A print's first layer, judged (docs/wire/rest.md 5; docs/api.md). Beta: advice, nothing is done because of it. */
export const firstLayerInspection = z
  .object({
    id: z.int(),
    print: z.int(),
    /** 0 to 100; null when too few of the pictures came from a nozzle camera. */
    score: z.number().min(0).max(100).nullable(),
    grade: layerGrade.nullable(),
    beta: z.literal(true),
    video_url: z.string().nullable(),
    tagged_video_url: z.string().nullable(),
    poster_url: z.string().nullable(),
    /** The figures of every picture, as `{pictures: [{t, score, labels, lines, shares}]}`. */
    data_json_url: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    images: z.array(firstLayerImage),
  })
  .meta({ id: 'FirstLayerInspection' })
export type FirstLayerInspection = z.infer<typeof firstLayerInspection>

const inspections = {
  method: 'GET',
  callers: readers,
  summary: "First layers of the caller's prints that have been judged, newest first",
  query: z.object({ print_id: id.optional(), ...page(12, 200) }),
  response: z.array(firstLayerInspection),
} as const
export const listFirstLayers = endpoint({ ...inspections, path: '/ent/api/first_layer_inspection/' })
export const listFirstLayersV1 = endpoint({ ...inspections, path: '/api/v1/first_layer_inspection/' })

export const listFirstLayerImages = endpoint({
  method: 'GET',
  path: '/api/v1/first_layer_inspection_images/',
  callers: readers,
  summary: "Pictures of the caller's first layers, those of the newest inspection first",
  query: z.object({ print_id: id.optional(), ...page(1000, 1000) }),
  response: z.array(firstLayerImage),
})

export const getFirstLayerImage = endpoint({
  method: 'GET',
  path: '/api/v1/first_layer_inspection_images/:id/',
  callers: readers,
  summary: 'A picture of a first layer',
  params: z.object({ id }),
  response: firstLayerImage,
})

/** `a|b`: one name at least, each known; a name said twice counts once. */
const answer = text(200).transform((value, check): LayerLabel[] => {
  const names = new Set(value.split('|'))
  const known = layerLabel.array().safeParse([...names])
  if (known.success) return known.data
  const message = `Choose one or more of ${LAYER_LABELS.join(', ')}, joined by |.`
  check.issues.push({ code: 'custom', message, input: value })
  return z.NEVER
})

const survey = {
  callers: ['session', 'oauth'],
  summary:
    'What the owner sees in a picture of a first layer; the last answer of an inspection earns 3 hours',
  params: z.object({ id }),
  body: z.object({ labels: answer }),
  response: firstLayerImage,
} as const
const imagePath = '/api/v1/first_layer_inspection_images/:id/'
export const putFirstLayerImage = endpoint({ ...survey, method: 'PUT', path: imagePath })
export const patchFirstLayerImage = endpoint({ ...survey, method: 'PATCH', path: imagePath })
export const patchFirstLayerImageEnt = endpoint({
  ...survey,
  method: 'PATCH',
  path: '/ent/api/first_layer_inspection_image/:id/',
})

const scan = {
  first_layer_scan_opted_in: z.boolean(),
  first_layer_scan_zhop: z.number(),
  first_layer_scan_retract: z.number(),
  first_layer_scan_retract_speed: z.number(),
  first_layer_scan_cooldown_temp: z.number(),
}

/** Nozzle camera and scan settings of a printer (docs/wire/agents.md 3.5). */
export const printerExt = z
  .object({
    ext: z.object({
      printer: z.int(),
      /** None is `''` to an agent and null to people. */
      nozzlecam_url: z.string().nullable(),
      ...scan,
      updated_at: timestamp,
    }),
  })
  .meta({ id: 'PrinterExt' })
export type PrinterExt = z.infer<typeof printerExt>

export const getPrinterExt = endpoint({
  method: 'GET',
  path: '/ent/api/printers/:id/ext/',
  callers: [...readers, 'printer'],
  summary: "Nozzle-camera settings of the caller's printer; an agent's own alone",
  params: z.object({ id }),
  response: printerExt,
})

export const getOwnPrinterExt = endpoint({
  method: 'GET',
  path: '/ent/api/octo/printer/ext/',
  callers: ['printer'],
  summary: "Nozzle-camera settings of the agent's own printer",
  response: printerExt,
})

const isWebAddress = (value: string) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value))

export const patchPrinterExt = endpoint({
  method: 'PATCH',
  path: '/ent/api/printers/:id/ext/',
  callers: managers,
  summary: "Change a printer's nozzle-camera settings",
  params: z.object({ id }),
  body: z.object({
    nozzlecam_url: text(2000).refine(isWebAddress, 'Enter a valid URL.').nullable().optional(),
    first_layer_scan_opted_in: flag.optional(),
    first_layer_scan_zhop: number(0, 50).optional(),
    first_layer_scan_retract: number(0, 50).optional(),
    first_layer_scan_retract_speed: number(1, 100).optional(),
    first_layer_scan_cooldown_temp: number(0, 300).optional(),
  }),
  response: printerExt,
})

export const postNozzlePicture = endpoint({
  method: 'POST',
  path: '/ent/api/nozzle_cam/pic/',
  callers: ['printer'],
  summary: "A picture of the printer's nozzle camera while it prints the first layer",
  bodyLimit: 10 * 1024 * 1024,
  body: z.object({ pic: upload.optional(), first_layer_scanning: flag.default(false) }),
  answers: { 400: damagedPicture },
  response: z.object({ result: z.literal('ok') }),
})

export const postFirstLayerDone = endpoint({
  method: 'POST',
  path: '/ent/api/nozzle_cam/first_layer_done/',
  callers: ['printer'],
  summary: 'The first layer is complete: it is judged',
  body: z.object({
    nozzlecam_status: z.literal('complete', 'Only "complete" ends a first layer.').default('complete'),
  }),
  response: z.object({ result: z.literal('ok') }),
})
