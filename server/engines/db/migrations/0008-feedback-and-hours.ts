import { type Kysely, sql } from 'kysely'

/**
 * Pictures of a print that its owner is asked about: `score` is the detector's, 0 to 1. One at a moment, so that making
 * them again makes none twice.
 */
const SHOTS = `
create table print_shot_feedbacks (
  id integer generated always as identity primary key,
  print_id integer not null references prints on delete cascade,
  image jsonb not null,
  taken_at timestamptz not null,
  score double precision,
  answer text check (answer in ('LOOKS_BAD', 'LOOKS_OK', 'UNDECIDED')),
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (print_id, taken_at)
);
create index print_shot_feedbacks_open on print_shot_feedbacks (print_id) where answered_at is null;
`

/**
 * Hours of AI detection, by double entry: each transaction moves hours between a bucket of its user and the
 * counter-account that its kind names, in two entries that sum to zero. Balances are what the entries of a bucket sum to;
 * users.dh_balance is their sum, for whoever reads a user.
 */
const HOURS = `
create table hour_transactions (
  id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  kind text not null check (kind in ('grant', 'purchase', 'earned', 'usage', 'expiry', 'adjustment')),
  bucket text not null check (bucket in ('included', 'earned')),
  hours numeric(16, 6) not null check (hours <> 0),
  balance_after numeric(16, 6) not null,
  reason text not null,
  print_id integer references prints on delete set null,
  idempotency_key text not null unique,
  created_at timestamptz not null default now()
);
create index hour_transactions_user on hour_transactions (user_id, id);
create index hour_transactions_print on hour_transactions (print_id) where print_id is not null;

create table hour_entries (
  transaction_id bigint not null references hour_transactions on delete cascade,
  account text not null,
  hours numeric(16, 6) not null,
  primary key (transaction_id, account)
);

create table hour_balances (
  user_id integer not null references users on delete cascade,
  bucket text not null check (bucket in ('included', 'earned')),
  hours numeric(16, 6) not null,
  primary key (user_id, bucket)
);
`

/** What accounts have already: surveys that were answered, and the rest as one adjustment. */
const OPENING = `
insert into hour_transactions
  (user_id, kind, bucket, hours, balance_after, reason, print_id, idempotency_key, created_at)
select prints.user_id, 'earned', 'earned', 3,
  3 * row_number() over (partition by prints.user_id order by layer.credited_at, layer.id),
  'first_layer_survey', prints.id, 'fl:p:' || prints.id, layer.credited_at
from first_layer_inspections layer join prints on prints.id = layer.print_id
where layer.credited_at is not null
order by layer.credited_at, layer.id;

insert into hour_transactions
  (user_id, kind, bucket, hours, balance_after, reason, idempotency_key)
select id, 'adjustment', 'earned', rest, dh_balance, 'opening', 'opening:u:' || id
from (
  select users.id, least(users.dh_balance, 1e9)::numeric(16, 6) as dh_balance,
    least(users.dh_balance, 1e9)::numeric(16, 6) - coalesce(sum(known.hours), 0) as rest
  from users left join hour_transactions known on known.user_id = users.id
  group by users.id
) as open
where rest <> 0;

insert into hour_entries (transaction_id, account, hours)
select id, 'user:' || bucket, hours from hour_transactions
union all
select id, kind, -hours from hour_transactions;

insert into hour_balances (user_id, bucket, hours)
select user_id, bucket, sum(hours) from hour_transactions group by user_id, bucket;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [SHOTS, HOURS, OPENING]) await sql.raw(part).execute(db)
}
