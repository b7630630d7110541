import { type Kysely, sql } from 'kysely'

/** What was agreed beside what a plan comes to now (docs/rules/plans.md 5). */
const PLANS = `
alter table subscriptions
  add column percent_off integer not null default 0,
  add column next_deal jsonb;
`

/** Who an account is at a provider, what it wanted to buy there, and which subscriptions came of it. */
const BOUGHT = `
create table billing_customers (
  user_id integer not null references users on delete cascade,
  provider text not null,
  customer_id text not null,
  primary key (user_id, provider)
);
create table billing_checkouts (
  id text primary key,
  user_id integer not null references users on delete cascade,
  provider text not null,
  provider_id text,
  kind text not null check (kind in ('plan', 'pack')),
  deal jsonb not null,
  coupon_id integer references coupons on delete set null,
  code text,
  state text not null default 'open' check (state in ('open', 'paid', 'closed')),
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create unique index billing_checkouts_provider on billing_checkouts (provider, provider_id);
create unique index billing_checkouts_coupon on billing_checkouts (coupon_id)
  where coupon_id is not null and state <> 'closed';
create index billing_checkouts_open on billing_checkouts (expires_at) where state = 'open';
create table billing_subscriptions (
  provider text not null,
  provider_id text not null,
  user_id integer not null references users on delete cascade,
  checkout_id text not null,
  revision integer not null default 0,
  ended_at timestamptz,
  primary key (provider, provider_id)
);
create index billing_subscriptions_open on billing_subscriptions (provider) where ended_at is null;
`

/** Each movement of money; it outlives the account, without its name. */
const MONEY = `
create table payments (
  id integer generated always as identity primary key,
  user_id integer references users on delete set null,
  provider text not null,
  provider_id text not null,
  kind text not null check (kind in ('payment', 'refund')),
  what text not null check (what in ('plan', 'pack')),
  bought_by text not null,
  of_payment integer references payments,
  cents integer not null,
  tax_cents integer not null,
  currency text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  unique (provider, provider_id)
);
create index payments_user on payments (user_id, id);
create index payments_of on payments (of_payment) where of_payment is not null;
`

/** What a provider has told, each once. */
const EVENTS = `
create table billing_events (
  provider text not null,
  event_id text not null,
  told_at timestamptz not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index billing_events_told on billing_events (provider, told_at);
`

/** What the sandbox keeps, as a provider of its own would: documents. */
const SANDBOX = `
create table sandbox_objects (
  id text primary key,
  kind text not null,
  owner text not null,
  due_at timestamptz,
  body jsonb not null,
  created_at timestamptz not null
);
create index sandbox_objects_owner on sandbox_objects (owner, kind, created_at);
create index sandbox_objects_due on sandbox_objects (kind, due_at) where due_at is not null;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [PLANS, BOUGHT, MONEY, EVENTS, SANDBOX]) await sql.raw(part).execute(db)
}
