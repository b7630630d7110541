import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { once } from '../../../lib/once.ts'
import { yaml } from '../../../lib/yaml.ts'

const both = z.object({ en: z.string(), zh: z.string() })
const phrases = z.array(z.string().min(1)).default([])
const span = z.tuple([z.number(), z.number()])

const material = z.object({
  words: phrases,
  limits: z.object({ nozzle: span, bed: span, fan: span, warps: z.boolean() }),
  en: z.string(),
  zh: z.string(),
})
export type Material = z.infer<typeof material>

/** `wall_loops + 2` */
const effect = z.string().transform((said, ctx) => {
  const [key = '', op = '', ...rest] = said.split(' ')
  const known = z.enum(['=', '+', '-', '*', '>=', '<=']).safeParse(op)
  if (known.success && rest.length > 0) return { key, op: known.data, value: rest.join(' ') }
  ctx.addIssue(`"${said}" is no setting, what becomes of it and a value`)
  return z.NEVER
})
export type Effect = z.infer<typeof effect>

const rule = z.object({
  id: z.string(),
  kind: z.enum(['goal', 'wish', 'symptom']),
  en: phrases,
  zh: phrases,
  name: both,
  against: z.array(z.string()).default([]),
  /** Words by which a picture's looker names it. */
  picture: z.array(z.string()).default([]),
  whole: z.boolean().default(false),
  preset: z.enum(['coarsest', 'finest', 'standard']).optional(),
  source: z.string(),
  set: z.array(z.object({ do: effect, en: z.string(), zh: z.string() })),
  also: both.optional(),
})
export type Rule = z.infer<typeof rule>

const setting = z.object({
  of: z.enum(['print', 'filament']),
  type: z.enum(['int', 'number', 'percent', 'degrees', 'speed', 'accel', 'fan', 'flag', 'choice']),
  range: span.optional(),
  step: z.number().optional(),
  unit: z.string().default(''),
  name: both,
  en: phrases,
  zh: phrases,
  values: z.record(z.string(), z.object({ en: phrases, zh: phrases })).optional(),
})
export type Setting = z.infer<typeof setting>

const condition = z.string().transform((said, ctx) => {
  const [feature = '', op = '', value = ''] = said.split(' ')
  if ((op === '>' || op === '<') && Number.isFinite(Number(value)))
    return { feature, op, value: Number(value) } as const
  ctx.addIssue(`"${said}" is no measure, > or <, and a number`)
  return z.NEVER
})

const tableShape = z.object({
  sources: z.record(z.string(), z.object({ name: z.string(), url: z.string() })),
  materials: z.record(z.string(), material),
  rules: z.array(rule),
  geometry: z.array(
    z.object({
      id: z.string(),
      when: condition,
      apply: z.array(z.string()),
      only: z.literal('warps').optional(),
      en: z.string(),
      zh: z.string(),
    }),
  ),
  settings: z.record(z.string(), setting),
  intents: z.record(z.string(), z.object({ en: phrases, zh: phrases, say: both })),
  notifications: z.array(z.object({ en: phrases, zh: phrases, say: both })),
})
export type Table = z.infer<typeof tableShape>

/**
 * The one table that the advisor speaks from: `table.yaml` beside this, which says of itself how it is read. It is read when it is
 * first asked, not at each start: that takes longer than all other modules of a wing.
 */
export const table = once(() =>
  tableShape.parse(yaml().parse(readFileSync(new URL('table.yaml', import.meta.url), 'utf8'))),
)

const rules = once(() => new Map(table().rules.map((one) => [one.id, one])))
const settings = once(() => new Map(Object.entries(table().settings)))
const materials = once(() => new Map(Object.entries(table().materials)))

export const ruleOf = (id: string): Rule | undefined => rules().get(id)
export const settingOf = (key: string): Setting | undefined => settings().get(key)
export const materialOf = (name: string): Material | undefined => materials().get(name)

/** A source in words: `Simplify3D, …: Warping`. */
export function sourceOf({ source }: Pick<Rule, 'source'>): string {
  const [key = '', ...section] = source.split(' ')
  const name = table().sources[key]?.name ?? key
  return section.length === 0 ? name : `${name}: ${section.join(' ')}`
}
