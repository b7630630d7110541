import { z } from 'zod'
import { timestamp } from '../values.ts'

/** docs/wire/rest.md 5, PrinterBase: a printer as its prints name it. `auth_token` is for the owner's eyes alone. */
export const printerBase = z
  .object({
    id: z.int(),
    name: z.string(),
    created_at: timestamp,
    action_on_failure: z.enum(['NONE', 'PAUSE']),
    watching_enabled: z.boolean(),
    not_watching_reason: z.string().nullable(),
    tools_off_on_pause: z.boolean(),
    bed_off_on_pause: z.boolean(),
    retract_on_pause: z.number(),
    lift_z_on_pause: z.number(),
    detective_sensitivity: z.number(),
    min_timelapse_secs_on_finish: z.int(),
    min_timelapse_secs_on_cancel: z.int(),
    auth_token: z.string(),
    archived_at: timestamp.nullable(),
    agent_name: z.string().nullable(),
    agent_version: z.string().nullable(),
  })
  .meta({ id: 'PrinterBase' })
export type PrinterBase = z.infer<typeof printerBase>
