import { z } from 'zod'
import { damagedPicture, endpoint } from '../endpoint.ts'
import { gCodeFile } from '../prints/prints.ts'
import { flag, id, integer, upload } from '../values.ts'

/** Text of an agent: NUL characters of a serial line are taken out, not refused (docs/wire/agents.md 3.3). */
const agentText = (max: number) =>
  z.string().transform((value) => value.replaceAll('\0', '').toWellFormed().slice(0, max).trim())

const isSaid = (value: string) => value !== ''

/** What an agent learns of its printer at start (docs/wire/agents.md 3.1). */
export const agentPrinter = z
  .object({
    user: z.object({ is_pro: z.boolean() }),
    printer: z.object({ id: z.int(), name: z.string(), is_pro: z.boolean(), retract_on_pause: z.number() }),
  })
  .meta({ id: 'AgentPrinter' })
export type AgentPrinterReply = z.infer<typeof agentPrinter>

export const getAgentPrinter = endpoint({
  method: 'GET',
  path: '/api/v1/octo/printer/',
  callers: ['printer'],
  summary: "The agent's printer",
  response: agentPrinter,
})

export const pingAgentPrinter = endpoint({
  method: 'GET',
  path: '/api/v1/octo/ping/',
  callers: ['printer'],
  summary: "The agent's printer, for OctoPrint plugins before 1.5",
  response: agentPrinter,
})

export const renameAgentPrinter = endpoint({
  method: 'PATCH',
  path: '/api/v1/octo/printer/',
  callers: ['printer'],
  summary: 'Rename the printer; nothing else is written',
  body: z.object({ name: agentText(256).refine(isSaid, 'This field may not be blank.').optional() }),
  response: agentPrinter,
})

export const postPrinterEvent = endpoint({
  method: 'POST',
  path: '/api/v1/octo/printer_events/',
  callers: ['printer'],
  summary: 'An event that only the agent knows of, with a picture if it has one',
  bodyLimit: 10 * 1024 * 1024,
  body: z.object({
    event_type: z.enum([
      'STARTED',
      'ENDED',
      'PAUSED',
      'RESUMED',
      'FAILURE_ALERTED',
      'ALERT_MUTED',
      'ALERT_UNMUTED',
      'FILAMENT_CHANGE',
      'PRINTER_ERROR',
    ]),
    event_class: z.enum(['ERROR', 'WARNING', 'SUCCESS', 'INFO']),
    event_title: agentText(1000).refine(isSaid, 'This field may not be blank.'),
    /** Empty where the title says it all. */
    event_text: agentText(10_000),
    info_url: agentText(2000).optional(),
    notify: flag.default(false),
    snapshot: upload.optional(),
  }),
  answers: { 400: damagedPicture },
  response: z.object({ result: z.literal('ok') }),
})

export const listAgentFiles = endpoint({
  method: 'GET',
  path: '/api/v1/octo/g_code_files/',
  callers: ['printer'],
  summary: "G-code files of the printer's owner, newest first, each with its prints on this printer",
  response: z.array(gCodeFile),
})

const fileName = agentText(1000).refine(isSaid, 'This field may not be blank.')

export const upsertAgentFile = endpoint({
  method: 'POST',
  path: '/api/v1/octo/g_code_files/',
  callers: ['printer'],
  summary: 'The file that the printer is about to print: 201 when new, 200 when known',
  answers: { 201: gCodeFile },
  body: z.object({
    filename: fileName,
    safe_filename: fileName,
    num_bytes: integer(0, Number.MAX_SAFE_INTEGER).optional(),
    agent_signature: agentText(256).optional(),
    url: agentText(2000).optional(),
  }),
  response: gCodeFile,
})

export const signAgentFile = endpoint({
  method: 'PATCH',
  path: '/api/v1/octo/g_code_files/:id/',
  callers: ['printer'],
  summary: 'Name and signature of a cloud file as it was stored on the printer',
  params: z.object({ id }),
  body: z.object({ safe_filename: fileName.optional(), agent_signature: agentText(256).optional() }),
  response: gCodeFile,
})
