import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { flag, text } from '../values.ts'

/**
 * What slicers ask of an OctoPrint, as far as they need it to bring a file and have it printed (docs/rules/slice.md). Refusals are
 * plain text: the programs show them as they come.
 */
const slicers = { callers: ['slicer', 'oauth'], bothForms: true, hasPlainRefusals: true } as const

export const octoVersion = endpoint({
  method: 'GET',
  path: '/api/version/',
  ...slicers,
  summary: "For slicers: who answers in OctoPrint's place",
  response: z.object({ api: z.literal('0.1'), server: z.string(), text: z.string() }),
})

/** Of an OctoPrint's settings those that tell a slicer what it need not try. */
export const octoSettings = endpoint({
  method: 'GET',
  path: '/api/settings/',
  ...slicers,
  summary: 'For slicers: no SD card, no webcam, no plugins',
  response: z.object({
    api: z.object({ enabled: z.literal(true) }),
    feature: z.object({ sdSupport: z.literal(false) }),
    webcam: z.object({ webcamEnabled: z.literal(false) }),
    plugins: z.object({}),
  }),
})

export const octoProfiles = endpoint({
  method: 'GET',
  path: '/api/printerprofiles/',
  ...slicers,
  summary: 'For slicers: the printer that the key is for',
  response: z.object({
    profiles: z.record(
      z.string(),
      z.object({ id: z.string(), name: z.string(), model: z.string(), current: z.literal(true) }),
    ),
  }),
})

const reading = z.object({ actual: z.number(), target: z.number().nullable(), offset: z.number() })
export const octoPrinterState = z
  .object({
    state: z.object({
      text: z.string(),
      flags: z.object({
        operational: z.boolean(),
        printing: z.boolean(),
        pausing: z.boolean(),
        paused: z.boolean(),
        cancelling: z.boolean(),
        ready: z.boolean(),
        error: z.boolean(),
        closedOrError: z.boolean(),
        sdReady: z.literal(false),
      }),
    }),
    temperature: z.record(z.string(), reading),
  })
  .meta({ id: 'OctoPrinterState' })
export type OctoPrinterState = z.infer<typeof octoPrinterState>

export const octoPrinter = endpoint({
  method: 'GET',
  path: '/api/printer/',
  ...slicers,
  summary: 'For slicers: how the printer stands; 409 when it cannot print',
  response: octoPrinterState,
})

export const octoJobState = z
  .object({
    state: z.string(),
    job: z.object({ file: z.object({ name: z.string().nullable() }) }),
    progress: z.object({
      completion: z.number().nullable(),
      printTime: z.number().nullable(),
      printTimeLeft: z.number().nullable(),
    }),
  })
  .meta({ id: 'OctoJob' })
export type OctoJobState = z.infer<typeof octoJobState>

export const octoJob = endpoint({
  method: 'GET',
  path: '/api/job/',
  ...slicers,
  summary: 'For slicers: what is being printed',
  response: octoJobState,
})

export const octoLogin = endpoint({
  method: 'POST',
  path: '/api/login/',
  callers: slicers.callers,
  hasPlainRefusals: true,
  summary: 'For slicers: whose key it is',
  response: z.object({
    name: z.string(),
    active: z.literal(true),
    user: z.literal(true),
    admin: z.literal(false),
  }),
})

export const octoUpload = endpoint({
  method: 'POST',
  path: '/api/files/local/',
  callers: slicers.callers,
  hasPlainRefusals: true,
  summary: 'For slicers: stores a file in the cloud, and has it printed with `print=true`',
  upload: 'file',
  status: 201,
  body: z.object({
    print: flag.default(false),
    /** Nothing is selected here; taken, as Cura sends it. */
    select: flag.optional(),
    /** The folder it goes to, made where it is missing. */
    path: text(1000).default(''),
  }),
  response: z.object({
    done: z.literal(true),
    effectivePrint: z.boolean(),
    effectiveSelect: z.literal(false),
    files: z.object({
      local: z.object({
        name: z.string(),
        path: z.string(),
        type: z.literal('machinecode'),
        origin: z.literal('local'),
        refs: z.object({ resource: z.string() }),
      }),
    }),
  }),
})
