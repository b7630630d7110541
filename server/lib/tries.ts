/** One try to tell somebody something takes so long at most. */
export const TRY_MS = 15_000
/** Who took a message to send has it for so long: a try, and time to write what came of it. Until then it is due later. */
export const TRY_LEASE_MS = TRY_MS + 5_000
