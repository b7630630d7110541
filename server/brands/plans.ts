import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { keptBy } from '../lib/of-server.ts'
import { yaml } from '../lib/yaml.ts'

const count = z.int().min(0).max(1_000_000)
/** Money is whole cents of the file's currency. */
const cents = z.int().min(0).max(100_000_000)
const percent = z.int().min(0).max(100)
const word = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be a short word in small letters')

/** What a plan gives; null is no limit. Megabytes are those of the pages, 1 048 576 bytes. */
const limits = z.strictObject({
  printers: count.min(1).nullable(),
  detection_interval_seconds: z.int().min(10).max(600),
  detection_hours_per_month: count,
  /** Hours that are left when new ones come stay, as long as the plan does. */
  hours_roll_over: z.boolean(),
  stream_fps: z.int().min(1).max(60),
  stream_cycle_seconds: z.int().min(5).max(3600).nullable(),
  autoplay: z.boolean(),
  tunnel_mb_per_month: count.nullable(),
  g_code_file_mb: count.nullable(),
  g_code_storage_mb: count.nullable(),
  timelapse_months: count.min(1).nullable(),
  timelapse_uploads_per_day: count.nullable(),
  sms: z.boolean(),
  sharing: z.boolean(),
})
/** And questions to a model behind the slicer's assistant; `usual` where a file says nothing of them. */
const withQuestions = (usual: number | null) =>
  limits.extend({ ai_credits_per_month: count.nullable().default(usual) })

/** What is paid at once, for so many months. */
const cycle = z.strictObject({
  months: z.int().min(1).max(36),
  base_cents: cents,
  extra_printer_cents: cents,
})

const pack = z.strictObject({
  level: z.string().regex(/^[1-9]\d{0,3}$/, 'must be a number as text, such as "5"'),
  hours: count.min(1),
  /** Paid at once, as `cycles` says for how many months. */
  annual_cents: cents,
  monthly_cents: cents,
  /** The same level bought once: its hours never expire. */
  prepaid: z
    .strictObject({ hours: count.min(1), cents })
    .nullable()
    .default(null),
})

/** What a code of an offer looks like; a page shows by it what the code is for. */
const pattern = z.union([
  z.strictObject({ begins: z.string().max(60), length: z.int().min(1).max(100).optional() }),
  z.strictObject({ is: z.string().min(1).max(100) }),
])
export type CodePattern = z.infer<typeof pattern>

/** A place in a store of apps. */
const place = z.url({ protocol: /^https$/ }).max(500)

const offer = z.strictObject({
  offer: word,
  plan_id: word,
  months: z.int().min(1).max(36),
  /** Given for the code alone, or paid for with the code. */
  by: z.enum(['code', 'checkout']),
  first_percent_off: percent.default(0),
  renewal_percent_off: percent.default(0),
  codes: z.array(pattern).max(100),
})

const plans = z
  .strictObject({
    /** Figures that nobody has given us: look at them before you sell. */
    chosen_by_us: z.array(z.string()).default([]),
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency such as USD'),
    label: z.string().trim().min(1).max(40),
    plans: z.strictObject({ free: withQuestions(50), pro: withQuestions(null) }),
    cycles: z.strictObject({ annual: cycle, monthly: cycle }),
    annual_saves_percent: percent,
    most_printers: count.min(1),
    packs: z.array(pack).min(1).max(20),
    /** Levels of packs, for one printer, two, and so on; the last is for all more. */
    recommended_by_printers: z.array(z.string()).min(1).max(100),
    trial: z.strictObject({ days: z.int().min(0).max(366), hours: count }),
    /** So long a plan goes on after a payment that failed. */
    grace_days: z.int().min(0).max(60),
    refund_days: z.int().min(0).max(366),
    /** Where the brand's apps for phones are; null: there is none. */
    mobile_apps: z
      .strictObject({ ios: place.nullable().default(null), android: place.nullable().default(null) })
      .default({ ios: null, android: null }),
    partners: z
      .array(
        z.strictObject({
          name: word,
          display_name: z.string().min(1).max(60),
          offers: z.array(offer).min(1),
        }),
      )
      .max(50),
  })
  .superRefine((file, check) => {
    const twice = (path: string, names: readonly string[]) => {
      if (new Set(names).size < names.length)
        check.addIssue({ code: 'custom', path: [path], message: 'names something twice' })
    }
    twice(
      'packs',
      file.packs.map(({ level }) => level),
    )
    twice(
      'partners',
      file.partners.map(({ name }) => name),
    )
    twice(
      'partners',
      file.partners.flatMap(({ offers }) => offers.map((one) => one.offer)),
    )
    for (const [at, level] of file.recommended_by_printers.entries())
      if (!file.packs.some((one) => one.level === level))
        check.addIssue({
          code: 'custom',
          path: ['recommended_by_printers', at],
          message: 'is no level of a pack',
        })
  })

/** What a brand sells, as its `plans.json` has it (docs/rules/plans.md 3). */
export type Plans = Readonly<z.infer<typeof plans>>
export type Offer = Plans['partners'][number]['offers'][number]
export type Cycle = keyof Plans['cycles']

const NAME = 'plans.json'
const SHIPPED = join(import.meta.dirname, 'base')

/** The plans of a brand: its own file, else the first brand's, else the shipped one. Raises an error that names file and line. */
export function readPlans(folder: string, name: string, first: string): Plans {
  const places = [join(folder, name), join(folder, first), SHIPPED].map((place) => join(place, NAME))
  const file = places.find((place) => existsSync(place)) ?? join(SHIPPED, NAME)
  const text = readFileSync(file, 'utf8')
  return (file.startsWith(import.meta.dirname) ? shippedPlans(text) : null) ?? parsePlans(text, file)
}

/** What ships is right, unless somebody has changed it: each start and command reads it, and seldom needs its lines. */
function shippedPlans(text: string): Plans | null {
  try {
    return plans.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** What stands in such a file. Raises an error that names file and line of all that is wrong. */
export function parsePlans(text: string, file: string): Plans {
  const { isNode, LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, schema: 'json', prettyErrors: false })
  const [broken] = document.errors
  if (broken !== undefined) throw new Error(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  const parsed = plans.safeParse(document.toJS())
  if (parsed.success) return parsed.data
  const lineOf = (path: readonly PropertyKey[]): number => {
    const node = document.getIn(path, true)
    const at = isNode(node) ? node.range?.[0] : undefined
    return at === undefined && path.length > 0 ? lineOf(path.slice(0, -1)) : lines.linePos(at ?? 0).line
  }
  const said = parsed.error.issues.map(
    ({ path, message }) => `${file}:${lineOf(path)}: ${path.join('.')}: ${message}`,
  )
  throw new Error(said.join('; '))
}

/** The packs by their levels. */
export const packsOf = keptBy((file: Plans) => new Map(file.packs.map((one) => [one.level, one])))
