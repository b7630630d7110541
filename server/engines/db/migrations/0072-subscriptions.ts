import { type Kysely, sql } from 'kysely'

/** What accounts have of plans; one at a time runs (docs/rules/plans.md 1). */
const SUBSCRIPTIONS = `
create table subscriptions (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  plan_id text not null,
  state text not null
    check (state in ('trial', 'complimentary', 'partner', 'legacy', 'active', 'cancelled', 'past_due', 'expired')),
  billing_cycle text check (billing_cycle in ('annual', 'monthly')),
  printers integer not null,
  dhpack_level text not null default '0',
  started_at timestamptz not null,
  ends_at timestamptz,
  cancelled_at timestamptz,
  provider text,
  provider_id text,
  customer_id text,
  currency text not null,
  base_cents integer not null default 0,
  printers_cents integer not null default 0,
  dhpack_cents integer not null default 0,
  created_at timestamptz not null
);
create unique index subscriptions_running on subscriptions (user_id) where state <> 'expired';
create unique index subscriptions_provider on subscriptions (provider, provider_id) where provider_id is not null;
create index subscriptions_user on subscriptions (user_id, id);
create index subscriptions_ends on subscriptions (ends_at) where state <> 'expired';
`

/** Each step of a plan's life with what it left, so that the plan of any day can be told. */
const LOG = `
create table plan_steps (
  id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  subscription_id integer not null references subscriptions on delete cascade,
  edge text not null,
  actor text not null,
  came_from text not null,
  led_to text not null,
  plan_id text,
  printers integer not null,
  dhpack_level text not null,
  ends_at timestamptz,
  detail jsonb not null default '{}',
  created_at timestamptz not null
);
create index plan_steps_user on plan_steps (user_id, id);
`

const USERS = 'alter table users add column plan_id text, add column plan_ends_at timestamptz'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [SUBSCRIPTIONS, LOG, USERS]) await sql.raw(part).execute(db)
}
