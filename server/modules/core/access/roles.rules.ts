import type { HouseholdRole } from '@vigil/contract/people/household.ts'
import type { KeyReach, UserPrincipal } from '../../../http/principal.ts'

/** What a caller wants to do with a printer: look at it, act on its print, or change it and what hangs on it. */
export type PrinterAction = 'see' | 'control' | 'edit'

/** What somebody is to a printer: it is their own account's, or they were let in to that account's household. */
export type Role = HouseholdRole | 'self'

/** Who may do what: the one table (docs/rules/people.md 15, 16). */
const MAY: Readonly<Record<Role, readonly PrinterAction[]>> = {
  viewer: ['see'],
  operator: ['see', 'control'],
  owner: ['see', 'control', 'edit'],
  self: ['see', 'control', 'edit'],
}

/** What the API keys of a person are at most to that person's printers. */
const KEY_ROLE: Readonly<Record<KeyReach['scope'], Role>> = {
  read: 'viewer',
  operate: 'operator',
  manage: 'owner',
}

const ROLES = ['viewer', 'operator', 'owner', 'self'] as const satisfies readonly Role[]

/** Whether somebody who is this to a printer may do that. */
export const roleMay = (role: Role, action: PrinterAction): boolean => MAY[role].includes(action)

/** Who may do this. */
export const rolesThatMay = (action: PrinterAction): readonly Role[] =>
  ROLES.filter((role) => roleMay(role, action))

/** Whether a key reaches as far as this. */
export const keyMay = ({ scope }: KeyReach, action: PrinterAction): boolean =>
  roleMay(KEY_ROLE[scope], action)

/** Whether somebody comes for all that is theirs and may do this to it, also to what has no printer: some keys do not. */
export const reachesAll = ({ key }: UserPrincipal, action: PrinterAction): boolean =>
  key === undefined || (key.printerIds === null && keyMay(key, action))
