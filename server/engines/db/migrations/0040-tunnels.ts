import { type Kysely, sql } from 'kysely'

/**
 * Ways to the page of a printer's own computer. The internal one is its owner's in our pages, one for each printer; others
 * belong to apps, which come with a name and a password of 64 hexadecimal digits: of the password the hash is kept.
 * `port` is set where tunnels are told apart by ports. What was revoked stays, so that its port is given out again as late
 * as can be.
 */
const TUNNELS = `
create table tunnels (
  id integer generated always as identity primary key,
  printer_id integer not null references printers on delete cascade,
  kind text not null check (kind in ('internal', 'app')),
  app text not null,
  code text not null unique check (code ~ '^[0-9a-f]{16}$'),
  port integer check (port between 1 and 65535),
  username text unique,
  password_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((kind = 'app') = (username is not null) and (kind = 'app') = (password_hash is not null))
);
create index tunnels_printer on tunnels (printer_id);
create unique index tunnels_internal on tunnels (printer_id) where kind = 'internal' and revoked_at is null;
create unique index tunnels_port on tunnels (port) where revoked_at is null;
create index tunnels_port_before on tunnels (port, revoked_at) where revoked_at is not null and port is not null;
`

/** Bytes that agents sent for somebody's tunnels, compressed as they came, by month of their own time zone: `2026-11`. */
const USAGE = `
create table tunnel_usage (
  user_id integer not null references users on delete cascade,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  bytes bigint not null default 0,
  primary key (user_id, month)
);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TUNNELS + USAGE).execute(db)
}
