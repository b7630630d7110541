import { type Kysely, sql } from 'kysely'

/** A file of the cloud that an agent was told to fetch and print, from the command to its first layer. */
const HAND_OVERS = `
create table cloud_prints (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  printer_id integer not null references printers on delete cascade,
  g_code_file_id integer references g_code_files on delete set null,
  filename text not null,
  safe_filename text not null,
  num_bytes bigint not null,
  bytes_sent bigint not null default 0,
  state text not null default 'sending'
    check (state in ('sending', 'sent', 'downloading', 'storing', 'starting', 'printing', 'failed')),
  reason text,
  words text,
  print_id integer references prints on delete set null,
  address_until timestamptz not null,
  fetched_at timestamptz,
  cut_at timestamptz,
  idle_since timestamptz,
  looked_at timestamptz not null default now(),
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  check ((ended_at is not null) = (state in ('printing', 'failed')))
);
create unique index cloud_prints_under_way on cloud_prints (printer_id) where ended_at is null;
create index cloud_prints_followed on cloud_prints (looked_at) where ended_at is null;
create index cloud_prints_printer on cloud_prints (printer_id, id);
create index cloud_prints_file on cloud_prints (g_code_file_id, id);
create index cloud_prints_user on cloud_prints (user_id, id);
create index cloud_prints_print on cloud_prints (print_id);
`

/** What a cloud file is on a printer that has stored it: the name and signature by which that printer's agent knows it. */
const COPIES = `
create table g_code_copies (
  printer_id integer not null references printers on delete cascade,
  agent_signature text not null,
  safe_filename text not null,
  g_code_file_id integer not null references g_code_files on delete cascade,
  url text,
  num_bytes bigint,
  updated_at timestamptz not null default now(),
  primary key (printer_id, agent_signature, safe_filename)
);
create index g_code_copies_file on g_code_copies (g_code_file_id, printer_id);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(HAND_OVERS + COPIES).execute(db)
}
