import { z } from 'zod'
import { managers, operators, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { householdRole } from '../people/household.ts'
import { printerBase } from '../watch/printer-base.ts'
import { printBase } from '../prints/prints.ts'
import { flag, id, integer, number, text, timestamp } from '../values.ts'
import { watchCode } from '../watch/watch-code.ts'

export type { WatchCode } from '../watch/watch-code.ts'

/** What an owner may write of a printer (docs/wire/rest.md 6; ranges docs/rules/pages.md 3). */
export const printerWrite = z.object({
  name: text(256).trim().min(1, 'This field may not be blank.'),
  action_on_failure: z.enum(['NONE', 'PAUSE']),
  watching_enabled: flag,
  tools_off_on_pause: flag,
  bed_off_on_pause: flag,
  retract_on_pause: number(0, 1000),
  lift_z_on_pause: number(0, 1000),
  detective_sensitivity: number(0.8, 1.2),
  min_timelapse_secs_on_finish: integer(-1, 31_536_000),
  min_timelapse_secs_on_cancel: integer(-1, 31_536_000),
})
export type PrinterWrite = z.infer<typeof printerWrite>

export const watch = z.object({
  state: z.enum(['watching', 'not_watching', 'blind']),
  code: watchCode.nullable(),
  reason: z.string().nullable(),
  picture_at: timestamp.nullable(),
  checked_at: timestamp.nullable(),
  /** Seconds between two looks, as the owner's plan gives them. */
  checked_every: z.number(),
  watched_percent: z.number().nullable(),
  /** What the camera shows does not fit what it showed before: more pictures will tell whether it was moved. */
  is_camera_strange: z.boolean(),
})
export type Watch = z.infer<typeof watch>

/**
 * What becomes of an alert's print if nobody answers: `when_failing` is paused as soon as the gauge is above 2/3, `sent` was
 * told to pause for this alert, `spent` was paused once before and never is again, `off` is not to be paused by us.
 */
export const pauseOutlook = z.enum(['when_failing', 'sent', 'spent', 'off'])
export type PauseOutlook = z.infer<typeof pauseOutlook>

/** The agent is there and has no printer: what its Klipper is (null: nobody says), and in which words of a stranger. */
export const printerAway = z.object({
  since: timestamp,
  state: z.enum(['shutdown', 'error', 'startup', 'disconnected']).nullable(),
  message: z.string().nullable(),
})
export type PrinterAway = z.infer<typeof printerAway>

/** How the agent stands: `waiting` is linked but has not reported yet (docs/wire/agents.md 5). */
export const agentState = z.object({
  state: z.enum(['connected', 'waiting', 'not_responding', 'offline']),
  last_seen_at: timestamp.nullable(),
  /** True while the server has just been restarted and the agent had no time yet to come back. */
  after_restart: z.boolean().optional(),
  away: printerAway.optional(),
})
export type AgentState = z.infer<typeof agentState>

/** Agent's status, passed through: only what everyone relies on is named (docs/wire/rest.md 5.2). */
export const status = z.looseObject({ _ts: z.number() })
export type Status = z.infer<typeof status>

export const printer = printerBase
  .extend({
    /** What the caller may do to it: see, act on its print, or change it as well. */
    role: householdRole,
    /** Whose it is; null: of the caller's own account. */
    shared_by: z.string().nullable(),
    not_watching_code: watchCode.nullable(),
    /** `img_url` shows boxes when the picture was checked; `raw_url` never does. */
    pic: z.object({ img_url: z.string(), raw_url: z.string().optional() }).nullable(),
    /** While an alert waits for an answer: the picture that it was raised for, `img_url` with boxes if there are any. */
    alert_pic: z.object({ img_url: z.string(), raw_url: z.string(), taken_at: timestamp }).nullable(),
    /** While an alert waits for an answer: the gauge at the look that it was raised for, and what we do by ourselves. */
    alert: z
      .object({
        normalized_p: z.number().nullable(),
        pause: pauseOutlook,
        /** Not before; null for at any time. */
        pause_from: timestamp.nullable(),
      })
      .nullable(),
    status: status.nullable(),
    settings: z.record(z.string(), z.unknown()),
    current_print: printBase.nullable(),
    normalized_p: z.number(),
    watch,
    /** How much of the picture the ignore zones leave out, 0 to 100. */
    ignored_percent: z.int(),
    agent: agentState,
  })
  .meta({ id: 'Printer' })
export type Printer = z.infer<typeof printer>

export const commandResult = z
  .object({ succeeded: z.boolean(), detail: z.string().optional(), printer })
  .meta({ id: 'CommandResult' })
export type CommandResult = z.infer<typeof commandResult>

const one = z.object({ id })
/** `with_archived=true`, the exact lower-case word (docs/wire/rest.md 6). */
const withArchived = z.object({ with_archived: z.string().max(20).optional() })
const owner = ['session', 'oauth'] as const

/** `error` and `reason`: `plan_limit`. */
const planLimit = z.object({ detail: z.string(), error: z.string(), reason: z.string() })

export const listPrinters = endpoint({
  method: 'GET',
  path: '/api/v1/printers/',
  callers: [...readers, 'slicer'],
  summary: "The caller's printers, by id; of them a slicer is told `id` and `name` alone",
  query: withArchived,
  response: z.array(printer),
  answers: { 200: z.array(z.object({ id: z.int(), name: z.string() }).meta({ id: 'PrinterName' })) },
})

export const createPrinter = endpoint({
  method: 'POST',
  path: '/api/v1/printers/',
  callers: owner,
  summary: 'Create a printer for an app without an agent',
  body: printerWrite.partial().required({ name: true }),
  response: printer,
  answers: { 403: planLimit },
  status: 201,
})

export const getPrinter = endpoint({
  method: 'GET',
  path: '/api/v1/printers/:id/',
  callers: readers,
  summary: 'One printer; 404 means deleted',
  params: one,
  query: withArchived,
  response: printer,
})

export const replacePrinter = endpoint({
  method: 'PUT',
  path: '/api/v1/printers/:id/',
  callers: managers,
  summary: 'Replace what an owner may write of a printer',
  params: one,
  query: withArchived,
  body: printerWrite.partial().required({ name: true }),
  response: printer,
})

export const updatePrinter = endpoint({
  method: 'PATCH',
  path: '/api/v1/printers/:id/',
  callers: managers,
  summary: 'Change one or more fields; unknown keys are ignored',
  params: one,
  query: withArchived,
  body: printerWrite.partial(),
  response: commandResult,
})

export const deletePrinter = endpoint({
  method: 'DELETE',
  path: '/api/v1/printers/:id/',
  callers: managers,
  summary: 'Delete a printer; its agent is disconnected at once',
  params: one,
  query: withArchived,
  response: null,
  status: 204,
})

export const archivePrinter = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/archive/',
  callers: managers,
  summary: 'Archive a printer',
  params: one,
  response: null,
  status: 204,
})

const unarchive = <P extends `/${string}/`>(path: P) =>
  endpoint({
    method: 'POST',
    path,
    callers: managers,
    summary: 'Take a printer out of the archive; its agent is let in again with the same token',
    params: one,
    response: null,
    answers: { 403: planLimit },
    status: 204,
  })
export const unarchivePrinter = unarchive('/api/v1/printers/:id/unarchive/')
export const unarchivePrinterEnt = unarchive('/ent/printers/:id/unarchive/')

/** The print that the caller means: when another one runs by now, nothing is done and the answer says so. */
const meant = { print_id: id.optional() }

const command = (name: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/v1/printers/:id/${name}/` as const,
    callers: operators,
    summary,
    params: one,
    query: z.object(meant),
    response: commandResult,
    evenWhenDiskIsFull: true,
  })

export const pausePrint = command('pause_print', 'Pause the current print')
/** What its owner says of an alert. */
const alertOverwrite = z.enum(['FAILED', 'NOT_FAILED']).optional()
export const resumePrint = endpoint({
  ...command(
    'resume_print',
    'Resume the current print; an open alert counts as no failure unless `FAILED` is said',
  ),
  query: z.object({ ...meant, alert_overwrite: alertOverwrite }),
})
export const cancelPrint = command('cancel_print', 'Cancel the current print; an alert counts as a failure')

export const muteCurrentPrint = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/mute_current_print/',
  callers: operators,
  summary: '`mute_alert=true` mutes failure detection for the current print, anything else un-mutes',
  params: one,
  query: z.object({ mute_alert: z.string().max(20).optional(), ...meant }),
  response: commandResult,
  evenWhenDiskIsFull: true,
})

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/acknowledge_alert/',
  callers: operators,
  summary: 'Answer an alert: was it a failure?',
  params: one,
  query: z.object({ alert_overwrite: alertOverwrite, ...meant }),
  response: commandResult,
  evenWhenDiskIsFull: true,
})

/** `[t, actual, target]`: seconds since 1970, degrees Celsius; a target of null marks a sensor. */
export const temperatureSample = z.tuple([z.number(), z.number(), z.number().nullable()])
export type TemperatureSample = z.infer<typeof temperatureSample>

/**
 * Every heater of the last 30 minutes, oldest first, a sample every 5 s at most: `{"heaters": {"extruder":
 * [[1763730000, 201.3, 200], …]}}`. Names are the agent's (`tool0`, `bed`, `extruder`, `heater_bed` …). A page reads
 * it once and goes on with the statuses that it hears.
 */
export const getTemperatures = endpoint({
  method: 'GET',
  path: '/api/v1/printers/:id/temperatures/',
  callers: readers,
  summary: 'Actual and target of every heater in the last 30 minutes',
  params: one,
  response: z.object({ heaters: z.record(z.string(), z.array(temperatureSample)) }),
})

/** Where the detector saw signs of failure, over the unrotated picture; cells row by row from the top left. */
export const heat = z
  .object({
    taken_at: timestamp,
    width: z.int(),
    height: z.int(),
    /** A byte a cell, in base64: 255 stands for a score of 1. */
    values: z.string(),
  })
  .meta({ id: 'Heat' })
export type Heat = z.infer<typeof heat>

/** `alert=true` asks for the picture of `alert_pic`. Null: nothing was looked at yet, or by a detector without a map. */
export const getHeat = endpoint({
  method: 'GET',
  path: '/api/v1/printers/:id/heat/',
  callers: readers,
  summary: 'Heat map of the last picture of the print that the detector looked at',
  params: one,
  query: z.object({ alert: z.string().max(20).optional() }),
  response: heat.nullable(),
})
