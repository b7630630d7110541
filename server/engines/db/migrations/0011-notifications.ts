import { type Kysely, sql } from 'kysely'

/** The switches of a channel, with what they are at first. */
const SWITCHES = {
  failure_alert: true,
  print_done: true,
  print_cancelled: false,
  filament_change: true,
  heater_status: false,
  print_start: false,
  print_pause: false,
  print_resume: false,
}

const COLUMNS = Object.entries(SWITCHES)
  .map(([name, usual]) => `notify_on_${name} boolean not null default ${usual},`)
  .join('\n  ')

/**
 * How people are reached: a row for each channel they have set up, and one for each message that is owed to it. A delivery
 * is open while it has no outcome; it is due at `due_at`, which whoever sends it moves on, so that it is due again
 * when they die. Every account has the channel `email` from its beginning.
 */
const TABLES = `
create table notification_settings (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  name text not null,
  config jsonb not null default '{}',
  enabled boolean not null default true,
  ${COLUMNS}
  accepted_at timestamptz,
  refused_at timestamptz,
  refusal text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, name)
);

create table deliveries (
  id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  setting_id integer references notification_settings on delete set null,
  channel text not null,
  notice_key text not null,
  kind text not null,
  notice jsonb not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  outcome text check (outcome in ('accepted', 'refused', 'expired', 'withdrawn')),
  problem text,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  unique (notice_key, channel)
);
create index deliveries_due on deliveries (channel, due_at) where outcome is null;
create index deliveries_user on deliveries (user_id, id desc);
create index deliveries_created on deliveries (created_at);

insert into notification_settings (user_id, name) select id, 'email' from users;
create function add_email_channel() returns trigger language plpgsql as $$
begin
  insert into notification_settings (user_id, name) values (new.id, 'email') on conflict do nothing;
  return new;
end $$;
create trigger users_email_channel after insert on users for each row execute function add_email_channel();
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
