import type * as contract from '@vigil/contract/people/household.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import { nameOf } from '../../../lib/person.ts'
import type { AuditRow } from './audit.queries.ts'
import type { MemberRow } from './household.queries.ts'

interface Named {
  readonly id: PrinterId
  readonly name: string
}

/** Those of an account's printers that somebody is let in to; null: all. */
export const someOf = (printers: readonly Named[], ids: readonly PrinterId[] | null): Named[] | null =>
  ids && printers.filter(({ id }) => ids.includes(id))

/** A member, or who is invited, as the account's owners are shown them. */
export function presentMember(row: MemberRow, printers: readonly Named[], me: UserId): contract.Member {
  const { firstName, lastName, memberEmail } = row
  const email = memberEmail ?? row.email
  return {
    id: row.id,
    name:
      memberEmail === null ? null : nameOf({ firstName: firstName ?? '', lastName: lastName ?? '', email }),
    email,
    role: row.role,
    printers: someOf(printers, row.printerIds),
    place: row.place,
    is_me: row.memberId === me,
    invited_at: row.invitedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
  }
}

/** One line of an account's log. */
export function presentAudit(row: AuditRow): contract.AuditRow {
  const { detail, userId, firstName, lastName, email } = row
  const about = typeof detail === 'object' && detail !== null && 'about' in detail ? detail['about'] : null
  return {
    id: row.id,
    at: row.createdAt.toISOString(),
    who:
      userId === null || email === null
        ? null
        : { id: userId, name: nameOf({ firstName: firstName ?? '', lastName: lastName ?? '', email }) },
    way: row.actor.startsWith('user:') ? 'web' : row.actor,
    printer:
      row.printerId === null || row.printerName === null
        ? null
        : { id: row.printerId, name: row.printerName },
    action: row.action,
    outcome: row.outcome,
    about: typeof about === 'string' ? about : null,
  }
}
