import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, integer, page, text, timestamp } from '../values.ts'
import { proofWanted } from './proof.ts'

/** What somebody who was let in may do: see; act on prints; change all that is not the account itself (docs/rules/people.md 16). */
export const HOUSEHOLD_ROLES = ['viewer', 'operator', 'owner'] as const
export const householdRole = z.enum(HOUSEHOLD_ROLES)
export type HouseholdRole = z.infer<typeof householdRole>

/** Somebody that an account has let in to its printers, or has invited. */
export const member = z
  .object({
    id: z.int(),
    /** What they call themselves; null until the invitation is taken up. */
    name: z.string().nullable(),
    /** Who has not come yet is known by the address that was invited. */
    email: z.string(),
    role: householdRole,
    /** The printers that they may see; null: all, also those to come. */
    printers: z.array(z.object({ id: z.int(), name: z.string() })).nullable(),
    /** Their place among those who are told of an alert only while nobody answers; null: told at once. */
    place: z.int().nullable(),
    is_me: z.boolean(),
    invited_at: timestamp,
    /** When an invitation ends that nobody took up. */
    expires_at: timestamp,
    accepted_at: timestamp.nullable(),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof member>

/** An account whose printers the caller may see: their own, with role null, or one that let them in. */
export const household = z
  .object({
    /** The account. */
    id: z.int(),
    name: z.string(),
    role: householdRole.nullable(),
    /** The caller's own row in it, to leave. */
    member_id: z.int().nullable(),
    /** Those of its printers that the caller may see. */
    printers: z.array(z.object({ id: z.int(), name: z.string() })),
  })
  .meta({ id: 'Household' })
export type Household = z.infer<typeof household>

// Who may let others in is known by a browser's session.
const callers = ['session'] as const
const base = '/api/v1/households/'
const ofAccount = z.object({ account: id })
const one = z.object({ account: id, id })
/** All, or some of the account's printers. */
const printerIds = z.array(id).min(1).max(200).nullable()

export const listHouseholds = endpoint({
  method: 'GET',
  path: base,
  callers,
  summary: "The caller's own account, and those that let them in",
  response: z.array(household),
})

export const listMembers = endpoint({
  method: 'GET',
  path: `${base}:account/members/`,
  callers,
  summary: 'Whom an account has let in or invited, for its owners',
  params: ofAccount,
  response: z.array(member),
})

export const inviteMember = endpoint({
  method: 'POST',
  path: `${base}:account/members/`,
  callers,
  isPersonal: true,
  summary: 'Invites somebody by mail; the link works for a week, once',
  params: ofAccount,
  body: z.object({
    email: text(254)
      .trim()
      .pipe(z.email({ error: 'Enter a valid email address.' })),
    role: householdRole,
    printer_ids: printerIds.default(null),
  }),
  answers: { 403: proofWanted },
  status: 201,
  response: member,
})

export const changeMember = endpoint({
  method: 'PATCH',
  path: `${base}:account/members/:id/`,
  callers,
  isPersonal: true,
  summary: 'Gives a member another role or other printers',
  params: one,
  body: z.object({ role: householdRole.optional(), printer_ids: printerIds.optional() }),
  answers: { 403: proofWanted },
  response: member,
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: `${base}:account/members/:id/`,
  callers,
  summary: 'Shuts a member out, takes an invitation back, or leaves',
  params: one,
  status: 204,
  response: null,
  evenWhenDiskIsFull: true,
})

export const orderMembers = endpoint({
  method: 'PUT',
  path: `${base}:account/order/`,
  callers,
  summary: 'Who is told of an alert after whom, while nobody answers; who is not named is told at once',
  params: ofAccount,
  body: z.object({ member_ids: z.array(id).max(50) }),
  response: z.array(member),
})

/** What an invitation offers, for who has its link. */
export const invitation = z
  .object({
    from: z.string(),
    role: householdRole,
    printers: z.array(z.string()).nullable(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitation>

const key = text(200)

export const showInvitation = endpoint({
  method: 'GET',
  path: '/api/v1/invitations/',
  callers: ['anyone'],
  summary: 'What an invitation offers; 404 for one that has ended, was taken up or taken back',
  query: z.object({ key }),
  response: invitation,
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/v1/invitations/accept/',
  callers,
  summary: 'Takes an invitation up, for the account that is signed in',
  isPersonal: true,
  body: z.object({ key }),
  response: household,
})

/** Who did what to an account's printers and household, and what administrators did to it. */
export const auditRow = z
  .object({
    id: z.int(),
    at: timestamp,
    /** Null: the server by itself, or somebody whose account is gone. */
    who: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** By which way: `web`, `api`, `system` … */
    way: z.string(),
    printer: z.object({ id: z.int(), name: z.string() }).nullable(),
    action: z.string(),
    outcome: z.string(),
    /** Whom it was about, of what concerns the household. */
    about: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' })
export type AuditRow = z.infer<typeof auditRow>

export const listAudit = endpoint({
  method: 'GET',
  path: `${base}:account/audit/`,
  callers,
  summary: "What was done to an account's printers and household and by whom, newest first, for its owners",
  params: ofAccount,
  query: z.object({
    user_id: id.optional(),
    printer_id: id.optional(),
    kind: z.enum(['print', 'printer', 'household', 'admin']).optional(),
    /** Rows before this one. */
    before: integer(1, Number.MAX_SAFE_INTEGER).optional(),
    limit: page(50, 200).limit,
  }),
  response: z.array(auditRow),
})
