import { type Kysely, sql } from 'kysely'

const CHANGES = `
create table shared_resources (
  id integer generated always as identity primary key,
  printer_id integer not null references printers on delete cascade,
  share_token text not null unique,
  label text not null default '',
  is_default boolean not null default false,
  ends_at timestamptz,
  pin_hash text,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index shared_resources_printer on shared_resources (printer_id);
create unique index shared_resources_default on shared_resources (printer_id) where is_default;

alter table printers add column ignore_zones jsonb not null default '[]';
alter table decisions add column ignore_zones jsonb not null default '[]';
`

/** Share links of a printer, and the parts of its picture that the detector leaves out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(CHANGES).execute(db)
}
