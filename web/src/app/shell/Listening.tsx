import { useAccountLine } from '../../printer/live/account-line.ts'

/** Hears on every page what is new of the account. */
export function Listening() {
  useAccountLine()
  return null
}
