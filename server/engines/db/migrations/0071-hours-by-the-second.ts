import { type Kysely, sql } from 'kysely'

/**
 * Hours are counted in whole seconds, so that what was booked and what was watched are equal and not nearly so. What an account
 * had for less than half a second is let go.
 */
const SECONDS = `
delete from hour_transactions where round(hours * 3600) = 0;
alter table hour_transactions drop constraint hour_transactions_hours_check;
alter table hour_transactions alter column hours type bigint using round(hours * 3600)::bigint;
alter table hour_transactions rename column hours to seconds;
alter table hour_transactions alter column balance_after type bigint using round(balance_after * 3600)::bigint;
alter table hour_transactions add check (seconds <> 0);
update hour_transactions t set balance_after = known.sum
from (select id, sum(seconds) over (partition by user_id order by id) as sum from hour_transactions) known
where known.id = t.id;
alter table hour_entries alter column hours type bigint using round(hours * 3600)::bigint;
alter table hour_entries rename column hours to seconds;
alter table hour_balances alter column hours type bigint using round(hours * 3600)::bigint;
alter table hour_balances rename column hours to seconds;
update hour_balances b set seconds = coalesce(
  (select sum(t.seconds) from hour_transactions t where t.user_id = b.user_id and t.bucket = b.bucket), 0);
update users set dh_balance = coalesce(
  (select sum(b.seconds) / 3600.0 from hour_balances b where b.user_id = users.id), 0);
`

/** When an account's next hours come, and how many: those of period periods since anchor, a month each. */
const ACCOUNTS = `
create table hour_accounts (
  user_id integer primary key references users on delete cascade,
  anchor timestamptz not null,
  periods integer not null,
  next_at timestamptz not null,
  monthly_seconds bigint not null,
  rolls_over boolean not null,
  expires_at timestamptz,
  low_told boolean not null default false
);
create index hour_accounts_due on hour_accounts (next_at);
`

/** What there was when a print began decides whether it is watched, to its end; null: what there is now. */
const AT_START = 'alter table prints add column hours_at_start double precision'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [SECONDS, ACCOUNTS, AT_START]) await sql.raw(part).execute(db)
}
