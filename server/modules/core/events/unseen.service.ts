import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { EventChannel } from '../event-log/events.jobs.ts'
import { clearUnseen } from './feed.queries.ts'

/** Where the nodes hear that a user's events, or how many of them are unseen, have changed. */
const topic = (userId: UserId) => `user:${userId}:events`

/** Has the owner's open pages look again how many events they have not seen. */
export const unseen: EventChannel = {
  name: 'unseen',
  isOfOwner: true,
  tell: async (ctx, { userId }) => tellUnseen(ctx, userId),
}

const tellUnseen = ({ live }: Pick<Ctx, 'live'>, userId: UserId) => live.publish(topic(userId), '')

/** Calls `fn` when there may be more events or fewer unseen ones, until the returned function is called. */
export async function onUnseen(
  { live }: Pick<Ctx, 'live'>,
  userId: UserId,
  fn: () => void,
): Promise<() => void> {
  return await live.subscribe(topic(userId), fn)
}

/** The user has the events before their eyes: none is unseen, and all their pages hear it. */
export async function markSeen(ctx: Pick<Ctx, 'db' | 'live'>, userId: UserId): Promise<void> {
  if (await clearUnseen(ctx.db, userId)) tellUnseen(ctx, userId)
}
