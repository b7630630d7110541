/** What the temporal logic says of a frame; never both. */
export interface Decision {
  shouldAlert: boolean
  shouldPause: boolean
}

/** Nothing is wrong, or nothing can be said. */
export const QUIET: Decision = { shouldAlert: false, shouldPause: false }

/** A decision in one word, as its record has it. */
export const wordOf = ({ shouldAlert, shouldPause }: Decision): 'none' | 'warn' | 'pause' =>
  shouldPause ? 'pause' : shouldAlert ? 'warn' : 'none'
