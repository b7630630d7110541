import { momentsOf } from '../../../lib/zones.ts'

const DAY_MS = 86_400_000

/** The first moment of a calendar day in a zone, also where the clocks skip or repeat midnight. */
const dayStart = (midnight: number, timeZone: string) =>
  new Date(momentsOf(midnight, timeZone)[0] ?? midnight)

/** Days as their owner counts them: `YYYY-MM-DD`, the last one included; `timeZone` is an IANA name. */
export interface Days {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** From the first moment of the first day to the first one after the last (docs/wire/rest.md 4). */
export function spanOf({ from, to, timeZone }: Days): { readonly since: Date; readonly before: Date } {
  return {
    since: dayStart(Date.parse(from), timeZone),
    before: dayStart(Date.parse(to) + DAY_MS, timeZone),
  }
}
