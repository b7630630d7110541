import type { NoticeKind } from '@vigil/contract/tell/notifications.ts'
import { momentsOf, shownAt } from '../../../lib/zones.ts'
import { KINDS } from './notice.rules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** When somebody wants to be told. Minutes are those of a day on the clocks of their zone. */
export interface TellingRules {
  readonly timeZone: string
  readonly quiet: { readonly from: number; readonly until: number; readonly sparesAlerts: boolean } | null
  readonly digest: 'off' | 'hourly' | 'daily'
  readonly digestAt: number
}

/** What a message waits for, and until when. */
export interface Hold {
  readonly why: 'quiet' | 'digest'
  readonly until: number
}

/** The first moment after `now` at which the clocks show one of these, as if they were UTC. */
function nextOf(shown: readonly number[], now: number, timeZone: string): number {
  const moments = shown.flatMap((one) => momentsOf(one, timeZone)).filter((at) => at > now)
  return Math.min(...moments)
}

/** The next time that it is so many minutes past midnight. */
function nextMinute(minute: number, now: number, timeZone: string): number {
  const today = Math.floor(shownAt(now, timeZone) / DAY_MS) * DAY_MS
  const days = [-1, 0, 1, 2].map((day) => today + day * DAY_MS + minute * MINUTE_MS)
  return nextOf(days, now, timeZone)
}

function nextHour(now: number, timeZone: string): number {
  const hour = Math.floor(shownAt(now, timeZone) / HOUR_MS) * HOUR_MS
  return nextOf([hour, hour + HOUR_MS, hour + 2 * HOUR_MS], now, timeZone)
}

/** When the quiet hours end that are at this moment; null when there are none. */
function quietUntil({ quiet, timeZone }: TellingRules, now: number): number | null {
  if (quiet === null) return null
  const { from, until } = quiet
  const minute = Math.floor((shownAt(now, timeZone) % DAY_MS) / MINUTE_MS)
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until
  return isQuiet ? nextMinute(until, now, timeZone) : null
}

/** Until when a message of this kind is held back; null: it is sent now. */
export function holdOf(kind: NoticeKind, rules: TellingRules, now: number): Hold | null {
  const { urgency } = KINDS[kind]
  const quiet = urgency === 'alert' && rules.quiet?.sparesAlerts === true ? null : quietUntil(rules, now)
  if (urgency !== 'news' || rules.digest === 'off')
    return quiet === null ? null : { why: 'quiet', until: quiet }
  const { digest, digestAt, timeZone } = rules
  const due = digest === 'hourly' ? nextHour(now, timeZone) : nextMinute(digestAt, now, timeZone)
  // A digest disturbs nobody's quiet hours.
  return { why: 'digest', until: quietUntil(rules, due) ?? due }
}
