import type { HouseholdRole } from '@vigil/contract/people/household.ts'
import { randomBytes } from 'node:crypto'
import type { TestApp, TestUser } from './app.ts'
import { asId } from './ids.ts'

/** Lets somebody in to the printers of an account, as if they had taken an invitation up; the number of their row. */
export async function letIn(
  app: TestApp,
  owner: Pick<TestUser, 'id'>,
  member: Pick<TestUser, 'id' | 'email'>,
  { role, printerIds = null }: { role: HouseholdRole; printerIds?: readonly number[] | null },
): Promise<number> {
  const now = new Date(app.ctx.clock.now())
  const { id } = await app.ctx.db
    .insertInto('memberships')
    .values({
      ownerId: owner.id,
      memberId: member.id,
      email: member.email,
      role,
      printerIds: asId(printerIds),
      linkId: 'x',
      tokenHash: randomBytes(32),
      invitedAt: now,
      expiresAt: now,
      acceptedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
