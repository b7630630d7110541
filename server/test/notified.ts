import type { TestApp, TestUser } from './app.ts'

/** A channel of somebody's for everything there is, which nobody answers. */
export async function aChannel({ ctx }: TestApp, { id }: TestUser): Promise<void> {
  await ctx.db
    .insertInto('notificationSettings')
    .values({ userId: id, name: 'ntfy', config: JSON.stringify({ ntfy_url: 'https://ntfy.invalid/x' }) })
    .execute()
}

/** What is, or was, owed to the channels of somebody, oldest first. */
export const owedTo = ({ ctx }: TestApp, { id }: TestUser) =>
  ctx.db.selectFrom('deliveries').selectAll().where('userId', '=', id).orderBy('id').execute()
