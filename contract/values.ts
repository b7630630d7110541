import { z } from 'zod'

/** Highest identity key PostgreSQL can hold here (32-bit integer columns). */
const MAX_ID = 2_147_483_647

/** An identity key in a path or query: digits only; anything else is not found. */
export const id = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
  z.int().positive().max(MAX_ID),
)

/** Text that can be stored: no NUL, no lone surrogate (docs/wire/rest.md 1). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'Null or broken characters are not allowed.',
    })

/** A time zone by its IANA name, old names included: browsers still say Asia/Calcutta, others Asia/Kolkata. */
export const timeZone = text(64).refine((zone) => /^[a-z]/i.test(zone) && isZone(zone), {
  error: 'Unknown time zone.',
})

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** ISO-8601 in UTC (docs/wire/rest.md 1). */
export const timestamp = z.string()

const TRUE = new Set(['true', 't', '1', 'on', 'yes', 'y'])
const FALSE = new Set(['false', 'f', '0', 'off', 'no', 'n', ''])

/** A boolean from JSON or from a form: `true/false`, `t/f`, `1/0`, `"on"`, Python's `True` (docs/wire/rest.md 1). */
export const flag = z.preprocess((value) => {
  if (typeof value === 'number' && (value === 0 || value === 1)) return value === 1
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  if (TRUE.has(word)) return true
  return FALSE.has(word) ? false : value
}, z.boolean())

/** A finite number from JSON or from a form, within bounds. */
export const number = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    z.number().min(min).max(max),
  )

/** A whole number from JSON or from a form, within bounds. */
export const integer = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    z.int().min(min).max(max),
  )

/** A form sends an empty field where JSON sends null. */
export const orNull = <T extends z.ZodType>(type: T) =>
  z.preprocess((value) => (value === '' ? null : value), type.nullable())

/** One or many: `a=1` and `a[]=1&a[]=2` both arrive as a list (docs/wire/rest.md 1). */
export const many = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(1000).default([]),
  )

/** A file of a multipart body. What it holds is looked at by the route, which answers for it in words of its own. */
export const upload = z.unknown().meta({ type: 'string', format: 'binary' })

/**
 * One of `words` in a filter of a list; anything else is as if nothing had been asked for, as clients of the old server
 * know it.
 */
export const choice = <const W extends string>(words: readonly W[], usual: NoInfer<W>) =>
  z.enum(words).catch(usual).default(usual)

const clamped = (min: number, max: number) =>
  z.coerce
    .number()
    .int()
    .transform((value) => Math.min(Math.max(value, min), max))

/** Paging by `start` and `limit`: a whole number out of range is the nearest in it, anything else is refused. */
export const page = (usual: number, most: number) => ({
  start: clamped(0, MAX_ID).default(0),
  limit: clamped(1, most).default(usual),
})

/** Paging by `page` (from 1) and `page_size`; old clients ask for 9999 at once. */
export const paged = (usual: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(0).default(1),
  page_size: clamped(1, 1000).default(usual),
})

/** A page of a list, with the absolute addresses of those beside it. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })
