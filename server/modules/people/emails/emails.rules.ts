const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** More addresses than this nobody needs. */
export const ADDRESSES_AT_MOST = 10
/** How long a link to confirm an address works. */
export const CONFIRM_MS = 3 * DAY

export const LIMITS = {
  manage: { name: 'manage-email', tries: 10, windowMs: MINUTE },
  confirm: { name: 'confirm-email', tries: 20, windowMs: MINUTE },
} as const

/** One link to confirm an address in three minutes. */
export const RESEND_MS = 3 * MINUTE
