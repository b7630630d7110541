/** What a plan gives. `Infinity` is no limit. */
export interface Entitlements {
  readonly printers: number
  /** Milliseconds between two looks of the detector at one print. */
  readonly detectionIntervalMs: number
  /** Hours of failure detection that come with each month. */
  readonly detectionHoursPerMonth: number
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
}

/** People read it as MB: one size of it, for files, films and what was carried (web/src/lib/format.ts). */
const MIB = 1_048_576
const GIB = 1_073_741_824

/** The plans of the enterprise edition. Prices and packs of hours are commerce's, not here. */
export const PLANS = {
  free: {
    printers: 1,
    detectionIntervalMs: 30_000,
    detectionHoursPerMonth: 10,
    streamFps: 5,
    streamCycleMs: 30_000,
    autoplay: false,
    tunnelBytesPerMonth: 300 * MIB,
    gCodeFileBytes: 50 * MIB,
    gCodeStorageBytes: GIB,
    timelapseMonths: 6,
    timelapseUploadsPerDay: 3,
    sms: false,
    sharing: false,
  },
  pro: {
    // As many as are paid for.
    printers: Infinity,
    detectionIntervalMs: 10_000,
    detectionHoursPerMonth: 50,
    streamFps: 25,
    streamCycleMs: null,
    autoplay: true,
    tunnelBytesPerMonth: Infinity,
    gCodeFileBytes: 500 * MIB,
    gCodeStorageBytes: 50 * GIB,
    timelapseMonths: 6,
    timelapseUploadsPerDay: Infinity,
    sms: true,
    sharing: true,
  },
} as const satisfies Record<string, Entitlements>

export type Plan = keyof typeof PLANS

/** The general edition limits nobody. */
export const UNLIMITED: Entitlements = Object.freeze({
  ...PLANS.pro,
  detectionHoursPerMonth: Infinity,
  gCodeFileBytes: Infinity,
  gCodeStorageBytes: Infinity,
  timelapseMonths: Infinity,
})
