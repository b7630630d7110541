import { fieldsOf } from '@vigil/contract/fields.ts'
import { passthruCall, type PassthruCall } from '@vigil/contract/core/passthru.ts'
import { text } from '@vigil/contract/values.ts'
import { z } from 'zod'

/**
 * What a browser may ask of an agent. The agents do whatever they are told (docs/wire/agents.md 7.2): OctoPrint's opens
 * its whole object graph, Klipper's the whole of Moonraker. These two tables are the guard.
 */
interface Rule {
  readonly args: z.ZodType
  readonly kwargs: z.ZodType
  /** What may stand behind the `?` of a Moonraker path. */
  readonly query: z.ZodType
  readonly verbs: readonly ('get' | 'post')[]
  /** It moves, heats or switches something: who asked for it is kept. */
  readonly isAudited: boolean
}

type Rules = Readonly<Record<string, Rule>>
/** `target.func` → rule, the same shape for both agents. */
export type AgentKind = 'octoprint' | 'klipper'

const NONE = z.tuple([])
const EMPTY = z.strictObject({})
/** One line for an agent or a printer: nothing that begins another one. */
const line = (max: number) =>
  text(max).refine((value) => !/[\r\n]/.test(value), { error: 'Line breaks are not allowed.' })
const path = line(1000).refine((value) => !value.split('/').includes('..'), { error: 'Not a path.' })
/** A heater as it stands in a G-code line: no quotes, no operators. */
const word = z.string().regex(/^\w[\w -]{0,60}$/)
const webAddress = line(4000).refine((value) => /^https?:\/\/[^/\s]/i.test(value) && URL.canParse(value), {
  error: 'Not an address.',
})
const axis = z.enum(['x', 'y', 'z', 'e'])
const step = z.number().min(-1000).max(1000)

function rule(given: Partial<Rule>): Rule {
  return { args: NONE, kwargs: EMPTY, query: EMPTY, verbs: ['get'], isAudited: false, ...given }
}
const act = (given: Partial<Rule>) => rule({ ...given, isAudited: true })

const jog = act({
  args: z.tuple([
    z
      .strictObject({ x: step.optional(), y: step.optional(), z: step.optional() })
      .refine((axes) => Object.keys(axes).length > 0, { error: 'Names no axis.' }),
  ]),
})
const home = act({ args: z.tuple([z.union([axis, z.array(axis).min(1).max(4)])]) })
const setTemperature = act({ args: z.tuple([word, z.number().min(0).max(350)]) })

/** A G-code file's record as the agents read it; whatever else it carries stays here. */
const cloudFile = z.object({
  id: z.int(),
  url: webAddress,
  filename: path,
  safe_filename: path.optional(),
})
const localFile = z.object({
  id: z.int().optional(),
  url: path,
  filename: path.optional(),
  safe_filename: path.optional(),
  agent_signature: line(256),
})

/** What both agents know by the same name. */
const BOTH: Rules = {
  '_printer.jog': jog,
  '_printer.home': home,
  '_printer.set_temperature': setTemperature,
  'file_downloader.download': act({ args: z.tuple([cloudFile]) }),
  'file_operations.start_printer_local_print': act({ args: z.tuple([localFile]) }),
  'jpeg_poster.web_snapshot_request': rule({ args: z.tuple([webAddress]) }),
}

const serialPort = line(200).nullable()
const baudrate = z.union([z.int().min(0).max(10_000_000), line(20)]).nullable()
const selectMode = z.object({ printAfterSelect: z.union([z.boolean(), z.enum(['true', 'false'])]) }).partial()

const lines = z.array(line(1000)).min(1).max(100)
const linesOf = (script: string) => script.split(/\r?\n/).filter((one) => one.trim() !== '')
/**
 * G-code, one line or many: clients send `"M83\nT0\nG1 E5 F300"` too. Checked line by line, and passed on as a list of
 * lines, since a printer takes one at a time.
 */
const script = text(10_240)
const gCode = z.union([
  line(1000),
  script.transform(linesOf).pipe(lines),
  z
    .array(script)
    .max(100)
    .transform((scripts) => scripts.flatMap(linesOf))
    .pipe(lines),
])

const OCTOPRINT: Rules = {
  ...BOTH,
  '_printer.commands': act({
    args: z.tuple([gCode]),
    kwargs: z.strictObject({ force: z.boolean().optional() }),
  }),
  '_printer.select_file': act({
    args: z.union([
      z.tuple([path]),
      z.tuple([path, z.boolean().nullable()]),
      // Browsers name path and storage together, and the mode beside them (docs/wire/agents.md 7.2).
      z.tuple([z.union([path, z.tuple([path, z.boolean().nullable()])]), selectMode]),
    ]),
    kwargs: z.strictObject({ ...selectMode.shape, sd: z.boolean().nullable().optional() }),
  }),
  '_printer.get_connection_options': rule({}),
  '_printer.get_current_connection': rule({}),
  '_printer.connect': act({
    args: z.union([NONE, z.tuple([serialPort]), z.tuple([serialPort, baudrate])]),
    kwargs: z.strictObject({ port: serialPort.optional(), baudrate: baudrate.optional() }),
  }),
  '_file_manager.list_files': rule({
    args: z.union([NONE, z.tuple([z.enum(['local', 'sdcard'])])]),
    kwargs: z.strictObject({
      path: path.nullable().optional(),
      filter: line(200).nullable().optional(),
      recursive: z.boolean().optional(),
      level: z.int().min(0).max(20).optional(),
      force_refresh: z.boolean().optional(),
    }),
  }),
  'gcode_hooks.toggle_terminal_feed': rule({ args: z.tuple([z.enum(['on', 'off', 'get'])]) }),
}

/** Printer objects that our pages read; Moonraker has many more, with the whole configuration among them. */
const OBJECTS = new Set(
  'gcode_move,toolhead,extruder,extruder1,heater_bed,fan,print_stats,display_status,virtual_sdcard'.split(
    ',',
  ),
)
const objects = z.record(
  z.string().refine((name) => OBJECTS.has(name), { error: 'Not an object that may be read.' }),
  z.union([z.null(), z.string().regex(/^[\w,]{0,200}$/)]),
)
const gcodePath = path.refine((value) => value === 'gcodes' || value.startsWith('gcodes/'), {
  error: 'Not among the G-codes.',
})
/** As its owner named it; in an address it stands encoded, so it ends nothing there. */
const device = line(100).min(1)
const switching = z.strictObject({ device, action: z.enum(['on', 'off', 'toggle']) }).partial()
const devices = z.record(device, z.union([z.null(), z.literal('')]))

const KLIPPER: Rules = {
  ...BOTH,
  'moonraker_api.printer/gcode/script': act({
    kwargs: z.strictObject({ script: text(10_240).min(1) }),
    verbs: ['get', 'post'],
  }),
  'moonraker_api.printer/objects/query': rule({ query: objects, kwargs: objects }),
  'moonraker_api.server/files/directory': rule({
    kwargs: z.strictObject({
      path: gcodePath,
      extended: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    }),
  }),
  'moonraker_api.server/files/metadata': rule({ kwargs: z.strictObject({ filename: path }) }),
  'moonraker_api.server/webcams/list': rule({}),
  'moonraker_api.printer/print/start': act({ kwargs: z.strictObject({ filename: path }), verbs: ['post'] }),
  'moonraker_api.machine/device_power/devices': rule({}),
  'moonraker_api.machine/device_power/status': rule({ query: devices, kwargs: devices }),
  'moonraker_api.machine/device_power/device': act({
    query: switching,
    kwargs: switching,
    verbs: ['get', 'post'],
  }),
  'moonraker_api.machine/device_power/on': act({ query: devices, kwargs: devices, verbs: ['post'] }),
  'moonraker_api.machine/device_power/off': act({ query: devices, kwargs: devices, verbs: ['post'] }),
}

const TABLES: Readonly<Record<AgentKind, Rules>> = { octoprint: OCTOPRINT, klipper: KLIPPER }

/** Which table an agent goes by; one that never named itself is an old OctoPrint plugin (docs/wire/agents.md 9). */
export function agentKindOf(agentName: string | null): AgentKind {
  return agentName?.startsWith('moonraker') ? 'klipper' : 'octoprint'
}

/** What a browser may ask for, ready to be forwarded as it stands; or why not. */
export type Checked =
  | { readonly ok: true; readonly call: PassthruCall; readonly audit: string | null }
  | { readonly ok: false; readonly ref: string | number | null; readonly why: 'not_supported' | 'invalid' }

/** Checks what stands under `passthru` in a browser's frame. Only what a rule names is in the result. */
export function checkCall(kind: AgentKind, item: unknown): Checked {
  const shape = passthruCall.safeParse(item)
  if (!shape.success) return { ok: false, ref: refOf(item), why: 'invalid' }
  const { ref, target, func, args = [], force } = shape.data
  const { verb, kwargs } = splitVerb(target, shape.data.kwargs ?? {})
  const [place, query] = splitQuery(func)
  const key = `${target}.${place}`
  const found = Object.hasOwn(TABLES[kind], key) ? TABLES[kind][key] : undefined
  if (found === undefined || query === null || !found.verbs.some((one) => one === (verb ?? 'get')))
    return { ok: false, ref, why: 'not_supported' }
  const checkedArgs = found.args.safeParse(args)
  const checkedKwargs = found.kwargs.safeParse(kwargs)
  if (!checkedArgs.success || !checkedKwargs.success || !found.query.safeParse(query).success)
    return { ok: false, ref, why: 'invalid' }
  return {
    ok: true,
    audit: found.isAudited ? key : null,
    call: {
      ref,
      target,
      func,
      ...(shape.data.args ? { args: checkedArgs.data as unknown[] } : {}),
      ...(shape.data.kwargs
        ? { kwargs: { ...(checkedKwargs.data as object), ...(verb === undefined ? {} : { verb }) } }
        : {}),
      ...(force === undefined ? {} : { force }),
    },
  }
}

/** Klipper's agent takes the HTTP verb from among the parameters (docs/wire/agents.md 7.2). */
function splitVerb(target: string, given: Record<string, unknown>) {
  if (target !== 'moonraker_api') return { verb: undefined, kwargs: given }
  const { verb, ...kwargs } = given
  return { verb, kwargs }
}

/** A usable `ref` of something that is no call otherwise, so that its sender can be answered. */
function refOf(item: unknown): string | number | null {
  const ref = passthruCall.shape.ref.safeParse(fieldsOf(item)['ref'])
  return ref.success ? ref.data : null
}

/**
 * A Moonraker path and its query, which is null when it is odd. The agent turns every dot into a slash and
 * concatenates the rest, so nothing stays that could mean something else there.
 */
function splitQuery(func: string): [string, Record<string, string | null> | null] {
  const at = func.indexOf('?')
  if (at === -1) return [func, {}]
  const text = func.slice(at + 1)
  const place = func.slice(0, at)
  if (!/^[\w=&, %+()!'*~:-]+$/.test(text) || !/^[\w/]+$/.test(place)) return [place, null]
  const pairs = [...new URLSearchParams(text)]
  const query: Record<string, string | null> = Object.create(null)
  for (const [name, value] of pairs) {
    if (Object.hasOwn(query, name)) return [place, null]
    query[name] = value === '' ? null : value
  }
  return [place, query]
}
