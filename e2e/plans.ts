import { inDatabase, type Vigil } from './vigil.ts'

/** Nobody has Pro any more, whatever their plan. */
export async function takePro(vigil: Vigil): Promise<void> {
  await inDatabase(vigil, (client) => client.query('update users set is_pro = false'))
}

/** The plan of an account is over; the clock, which looks every five minutes, looks now. */
export async function endPlan(vigil: Vigil, email: string): Promise<void> {
  await inDatabase(vigil, async (client) => {
    await client.query(
      `update subscriptions set ends_at = now() - interval '1 second'
       where state <> 'expired' and user_id = (select id from users where email = $1)`,
      [email],
    )
    await client.query(`insert into pgboss.job (name, policy) values ('plans-over', 'exclusive')
      on conflict do nothing`)
  })
}
