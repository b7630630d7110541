import type { Plans } from '../../../brands/plans.ts'
import { keptBy } from '../../../lib/of-server.ts'

/** What a plan gives. `Infinity` is no limit. */
export interface Entitlements {
  /** Of Pro as many as are paid for: `printerAllowance` of subscriptions knows. */
  readonly printers: number
  /** Milliseconds between two looks of the detector at one print. */
  readonly detectionIntervalMs: number
  /** Hours of failure detection that come with each month. */
  readonly detectionHoursPerMonth: number
  /** What is left of them when the next come stays. */
  readonly hoursRollOver: boolean
  /** Pictures a second of live video. */
  readonly streamFps: number
  /** Live video plays for so long and then rests for as long; null plays on. */
  readonly streamCycleMs: number | null
  /** A card's video plays by itself in the list. */
  readonly autoplay: boolean
  readonly tunnelBytesPerMonth: number
  readonly gCodeFileBytes: number
  readonly gCodeStorageBytes: number
  /** After so many months a time-lapse is deleted. */
  readonly timelapseMonths: number
  /** Films of prints that were made elsewhere, to be analysed in 24 hours. */
  readonly timelapseUploadsPerDay: number
  readonly sms: boolean
  readonly sharing: boolean
  /** Questions to a model behind the slicer's assistant. */
  readonly aiCreditsPerMonth: number
}

/** People read it as MB: one size of it, for files, films and what was carried (web/src/lib/format.ts). */
const MIB = 1_048_576

const most = (limit: number | null, unit = 1) => (limit === null ? Infinity : limit * unit)

const entitlementsFrom = (limits: Plans['plans']['free']): Entitlements => ({
  printers: most(limits.printers),
  detectionIntervalMs: limits.detection_interval_seconds * 1000,
  detectionHoursPerMonth: limits.detection_hours_per_month,
  hoursRollOver: limits.hours_roll_over,
  streamFps: limits.stream_fps,
  streamCycleMs: limits.stream_cycle_seconds === null ? null : limits.stream_cycle_seconds * 1000,
  autoplay: limits.autoplay,
  tunnelBytesPerMonth: most(limits.tunnel_mb_per_month, MIB),
  gCodeFileBytes: most(limits.g_code_file_mb, MIB),
  gCodeStorageBytes: most(limits.g_code_storage_mb, MIB),
  timelapseMonths: most(limits.timelapse_months),
  timelapseUploadsPerDay: most(limits.timelapse_uploads_per_day),
  sms: limits.sms,
  sharing: limits.sharing,
  aiCreditsPerMonth: most(limits.ai_credits_per_month),
})

export const PLAN_NAMES = ['free', 'pro'] as const
export type Plan = (typeof PLAN_NAMES)[number]

/** What each plan of a brand gives, as its `plans.json` has it. */
export const plansGive = keptBy(({ plans: { free, pro } }: Plans): Readonly<Record<Plan, Entitlements>> => ({
  free: entitlementsFrom(free),
  pro: entitlementsFrom(pro),
}))

/** The general edition limits nobody. */
export const UNLIMITED: Entitlements = Object.freeze({
  printers: Infinity,
  detectionIntervalMs: 10_000,
  detectionHoursPerMonth: Infinity,
  hoursRollOver: true,
  streamFps: 25,
  streamCycleMs: null,
  autoplay: true,
  tunnelBytesPerMonth: Infinity,
  gCodeFileBytes: Infinity,
  gCodeStorageBytes: Infinity,
  timelapseMonths: Infinity,
  timelapseUploadsPerDay: Infinity,
  sms: true,
  sharing: true,
  aiCreditsPerMonth: Infinity,
})
