import type { UserId } from '../lib/id.ts'
import { forbidden } from './errors.ts'
import type { Principal, PrinterPrincipal, UserPrincipal } from './principal.ts'
import { text } from './texts.ts'

/** Whether an administrator acts as somebody else here. */
export const isActing = (principal: Principal): boolean =>
  principal.kind === 'user' && principal.staffId !== undefined

/** What only a person themselves may do. Raises 403 while an administrator acts as them. */
export function refuseActing(principal: Principal): void {
  if (isActing(principal)) throw forbidden(text('security-server', 'notWhileActing'))
}

/** A word that opens something for whoever has it, and would outlast the half hour: empty while an administrator acts. */
export const keptByPerson = (principal: Principal, word: string): string => (isActing(principal) ? '' : word)

/** Whom a log names for what is done: the administrator, where one acts as somebody else. */
export const actorOf = (principal: UserPrincipal | PrinterPrincipal): UserId =>
  principal.kind === 'user' ? (principal.staffId ?? principal.userId) : principal.userId
