import type { KeyReach, UserPrincipal } from '../../../http/principal.ts'

/** What a caller wants to do with a printer: look at it, act on its print, or change it and what hangs on it. */
export type PrinterAction = 'see' | 'control' | 'edit'

/** What somebody is to a printer. */
export type Role = 'viewer' | 'operator' | 'owner'

/** Who may do what: the one table (docs/rules/people.md 15). */
const MAY: Readonly<Record<Role, readonly PrinterAction[]>> = {
  viewer: ['see'],
  operator: ['see', 'control'],
  owner: ['see', 'control', 'edit'],
}

/** What the API keys of a person are at most to that person's printers. */
const KEY_ROLE: Readonly<Record<KeyReach['scope'], Role>> = {
  read: 'viewer',
  operate: 'operator',
  manage: 'owner',
}

/** Whether a key reaches as far as this. */
export const keyMay = ({ scope }: KeyReach, action: PrinterAction): boolean =>
  MAY[KEY_ROLE[scope]].includes(action)

/** Whether somebody comes for all that is theirs and may do this to it, also to what has no printer: some keys do not. */
export const reachesAll = ({ key }: UserPrincipal, action: PrinterAction): boolean =>
  key === undefined || (key.printerIds === null && keyMay(key, action))
