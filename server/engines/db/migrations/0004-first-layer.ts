import { type Kysely, sql } from 'kysely'

const TABLES = `
create table first_layer_inspections (
  id integer generated always as identity primary key,
  print_id integer not null unique references prints on delete cascade,
  pictures integer not null default 0,
  last_picture_at timestamptz,
  done_at timestamptz,
  judged_at timestamptz,
  score double precision check (score between 0 and 100),
  model text,
  poster jsonb,
  data_json jsonb,
  credited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index first_layer_inspections_open on first_layer_inspections (last_picture_at) where judged_at is null;

create table first_layer_images (
  id integer generated always as identity primary key,
  inspection_id integer not null references first_layer_inspections on delete cascade,
  picture jsonb not null,
  hash text not null,
  taken_at timestamptz not null,
  sight jsonb,
  answer text,
  answered_at timestamptz,
  credited_dhs double precision not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (inspection_id, hash)
);
create index first_layer_images_taken on first_layer_images (taken_at);

create table printer_exts (
  printer_id integer primary key references printers on delete cascade,
  nozzlecam_url text,
  first_layer_scan_opted_in boolean not null,
  first_layer_scan_zhop double precision not null,
  first_layer_scan_retract double precision not null,
  first_layer_scan_retract_speed double precision not null,
  first_layer_scan_cooldown_temp double precision not null,
  updated_at timestamptz not null default now()
);
`

/** First layers as the nozzle camera saw them, their pictures, and the nozzle camera's settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
