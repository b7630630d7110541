import { type Kysely, sql } from 'kysely'

/**
 * What is to be printed, in one order for each account, and how often; without a printer, on any that fits. `place` counts
 * what is still to be printed; what is over has none. `version` rises with each change of the order.
 */
const ENTRIES = `
create table queues (
  user_id integer primary key references users on delete cascade,
  version integer not null default 0
);
create table queue_entries (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  printer_id integer references printers on delete cascade,
  g_code_file_id integer not null references g_code_files on delete cascade,
  copies integer not null check (copies between 1 and 100),
  place integer,
  on_hold boolean not null default false,
  fits_anyway boolean not null default false,
  ended_at timestamptz check ((ended_at is null) = (place is not null)),
  created_at timestamptz not null default now(),
  unique (user_id, place) deferrable initially deferred
);
create index queue_entries_printer on queue_entries (printer_id);
create index queue_entries_file on queue_entries (g_code_file_id);
create index queue_entries_ended on queue_entries (user_id, ended_at desc) where ended_at is not null;
`

/**
 * The bed of each printer that the queue knows. `bed` counts its states: it rises whenever something may have come to lie on
 * it. The bed is clear while `cleared_bed` is that very state.
 */
const BEDS = `
create table queue_beds (
  printer_id integer primary key references printers on delete cascade,
  enabled boolean not null default true,
  bed integer not null default 0,
  cleared_bed integer,
  cleared_at timestamptz,
  cleared_by integer references users on delete set null,
  seen_at timestamptz,
  refusal text,
  try_after timestamptz
);
create index queue_beds_cleared on queue_beds (printer_id) where cleared_bed = bed;
`

/**
 * Each start of a copy. A state of a bed is used by one start and no other, and a printer has one start under way, whoever
 * decides and however often.
 */
const STARTS = `
create table queue_starts (
  id uuid primary key,
  entry_id integer not null references queue_entries on delete cascade,
  printer_id integer not null references printers on delete cascade,
  bed integer not null,
  state text not null check (state in ('sending', 'sent', 'printing', 'done', 'failed')),
  send_until timestamptz not null,
  cloud_print_id integer,
  print_id integer references prints on delete set null,
  why text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (printer_id, bed)
);
create unique index queue_starts_open on queue_starts (printer_id) where ended_at is null;
create index queue_starts_followed on queue_starts (created_at) where state in ('sending', 'sent');
create index queue_starts_entry on queue_starts (entry_id);
create index queue_starts_print on queue_starts (print_id);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ENTRIES + BEDS + STARTS).execute(db)
}
