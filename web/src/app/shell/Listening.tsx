import { useAccountLine } from '../../printer/live/accountLine.ts'

/** Hears on every page what is new of the account. */
export function Listening() {
  useAccountLine()
  return null
}
