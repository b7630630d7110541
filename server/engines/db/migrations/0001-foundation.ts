import { type Kysely, sql } from 'kysely'

const TABLES = `
create table users (
  id integer generated always as identity primary key,
  brand text not null default 'base',
  email text not null,
  password_hash text,
  first_name text not null default '',
  last_name text not null default '',
  language text not null default 'en' check (language in ('en', 'zh')),
  time_zone text,
  is_active boolean not null default true,
  is_staff boolean not null default false,
  is_pro boolean not null default true,
  dh_balance double precision not null default 0,
  tunnel_cap_multiplier double precision not null default 1,
  unsub_token uuid not null default gen_random_uuid(),
  account_notification_by_email boolean not null default true,
  notification_enabled boolean not null default true,
  mobile_app_canary boolean not null default false,
  unseen_printer_events integer not null default 0,
  is_primary_email_verified boolean not null default false,
  last_origin text,
  consented_at timestamptz,
  last_active_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (brand, lower(email));

create table sessions (
  id integer generated always as identity primary key,
  token_hash bytea not null unique,
  user_id integer not null references users on delete cascade,
  remember boolean not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

create table access_tokens (
  id integer generated always as identity primary key,
  token_hash bytea not null unique,
  user_id integer not null references users on delete cascade,
  application text not null,
  scope text not null default 'read write',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index access_tokens_user on access_tokens (user_id);

create table instance (
  key text primary key,
  value jsonb not null
);

create table printers (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  name text not null,
  auth_token text not null unique,
  agent_name text,
  agent_version text,
  action_on_failure text not null default 'PAUSE' check (action_on_failure in ('NONE', 'PAUSE')),
  watching_enabled boolean not null default true,
  tools_off_on_pause boolean not null default true,
  bed_off_on_pause boolean not null default false,
  retract_on_pause double precision not null default 6.5,
  lift_z_on_pause double precision not null default 2.5,
  detective_sensitivity double precision not null default 1,
  detection_bending_factor double precision,
  min_timelapse_secs_on_finish integer not null default 600,
  min_timelapse_secs_on_cancel integer not null default 300,
  agent_settings jsonb not null default '{}',
  current_print_id integer unique,
  linked_at timestamptz,
  archived_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index printers_user on printers (user_id) where deleted_at is null;

create table printer_predictions (
  printer_id integer primary key references printers on delete cascade,
  current_frame_num integer not null default 0,
  lifetime_frame_num integer not null default 0,
  current_p double precision not null default 0,
  ewm_mean double precision not null default 0,
  rolling_mean_short double precision not null default 0,
  rolling_mean_long double precision not null default 0,
  normalized_p double precision not null default 0,
  steady jsonb,
  updated_at timestamptz not null default now()
);

create table g_code_files (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  resident_printer_id integer references printers on delete cascade,
  filename text not null,
  safe_filename text not null,
  url text,
  content jsonb,
  num_bytes bigint,
  agent_signature text,
  metadata_json text,
  filament_total double precision,
  estimated_time double precision,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index g_code_files_signature on g_code_files (user_id, agent_signature, safe_filename);

create table prints (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  printer_id integer references printers on delete cascade,
  g_code_file_id integer references g_code_files on delete set null,
  ext_id bigint,
  filename text not null,
  started_at timestamptz,
  finished_at timestamptz,
  cancelled_at timestamptz,
  uploaded_at timestamptz,
  alerted_at timestamptz,
  alert_acknowledged_at timestamptz,
  alert_muted_at timestamptz,
  alert_overwrite text check (alert_overwrite in ('FAILED', 'NOT_FAILED')),
  paused_at timestamptz,
  filament_used double precision,
  print_time double precision,
  pictures integer not null default 0,
  detections integer not null default 0,
  watched_seconds double precision not null default 0,
  access_consented_at timestamptz,
  video jsonb,
  tagged_video jsonb,
  poster jsonb,
  prediction_json jsonb,
  video_archived_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (printer_id, ext_id)
);
create index prints_user on prints (user_id, id);
create index prints_started on prints (started_at);
alter table printers add foreign key (current_print_id) references prints on delete set null;

create table printer_events (
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  user_id integer not null,
  printer_id integer not null,
  print_id integer,
  event_type text not null,
  event_class text not null,
  code text,
  params jsonb not null default '{}',
  event_title text,
  event_text text,
  image jsonb,
  info_url text,
  primary key (id, created_at)
) partition by range (created_at);
create index printer_events_user on printer_events (user_id, created_at desc);
create index printer_events_print on printer_events (print_id);

create table frames (
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  printer_id integer not null,
  print_id integer not null,
  picture jsonb not null,
  tagged jsonb,
  num_bytes integer not null,
  width integer not null,
  height integer not null,
  primary key (id, created_at)
) partition by range (created_at);
create index frames_print on frames (print_id, created_at);

create table decisions (
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  printer_id integer not null,
  print_id integer not null,
  frame_id bigint,
  model text,
  score double precision,
  blind text,
  boxes jsonb not null default '[]',
  heat jsonb,
  state jsonb not null,
  decision text not null check (decision in ('none', 'warn', 'pause')),
  primary key (id, created_at)
) partition by range (created_at);
create index decisions_print on decisions (print_id, created_at);

create table audit (
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  user_id integer,
  actor text not null,
  printer_id integer,
  print_id integer,
  action text not null,
  outcome text not null,
  detail jsonb not null default '{}',
  primary key (id, created_at)
) partition by range (created_at);
create index audit_printer on audit (printer_id, created_at);

create table heater_trackers (
  printer_id integer not null references printers on delete cascade,
  name text not null,
  target double precision not null,
  reached boolean not null default false,
  primary key (printer_id, name)
);

create table print_heater_targets (
  print_id integer not null references prints on delete cascade,
  name text not null,
  target double precision not null,
  heater_offset double precision not null default 0,
  primary key (print_id, name)
);

create table verification_codes (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  printer_id integer references printers on delete set null,
  relink boolean not null default false,
  code text not null,
  expired_at timestamptz not null,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create index verification_codes_code on verification_codes (code, expired_at);
create index verification_codes_user on verification_codes (user_id, expired_at);
`

/** Makes the partition of a partitioned table that holds the month of a day, if it is missing. */
const PARTITIONS = `
create function ensure_partitions(day date) returns void language plpgsql as $$
declare
  parent text;
  first date := date_trunc('month', day);
begin
  foreach parent in array array['printer_events', 'frames', 'decisions', 'audit'] loop
    execute format(
      'create table if not exists %I partition of %I for values from (%L) to (%L)',
      parent || to_char(first, '_YYYY_MM'), parent,
      first::timestamp at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
  end loop;
end $$;
select ensure_partitions((now() - interval '1 month')::date);
select ensure_partitions(now()::date);
select ensure_partitions((now() + interval '1 month')::date);
select ensure_partitions((now() + interval '2 months')::date);
create table printer_events_other partition of printer_events default;
create table frames_other partition of frames default;
create table decisions_other partition of decisions default;
create table audit_other partition of audit default;
`

/** Accounts, printers, prints and what is written about them; rows that grow for ever are partitioned by month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(PARTITIONS).execute(db)
}
