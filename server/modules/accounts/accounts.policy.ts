import type { Ctx } from '../../ctx.ts'

/** What a user may have; `Infinity` is no limit. */
export interface Entitlements {
  readonly printers: number
  /** Hours of failure detection. */
  readonly hours: number
  readonly storageBytes: number
  readonly streaming: boolean
  readonly tunnelBytes: number
}

const UNLIMITED: Entitlements = Object.freeze({
  printers: Infinity,
  hours: Infinity,
  storageBytes: Infinity,
  streaming: true,
  tunnelBytes: Infinity,
})

/** What a user may have. The general edition limits nobody; plans of the other one (`IS_ENT`) answer here. */
export function entitlements(_ctx: Ctx, _user: { readonly id: number }): Entitlements {
  return UNLIMITED
}
