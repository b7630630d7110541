import { type Kysely, sql } from 'kysely'

/**
 * Addresses of a user; the primary one is the one that they sign in with (`users.email`). One-time links that go by mail:
 * of the word in a link its hash is kept.
 */
const TABLES = `
create table email_addresses (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  brand text not null,
  email text not null,
  verified boolean not null default false,
  is_primary boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index email_addresses_own on email_addresses (user_id, lower(email));
create unique index email_addresses_primary on email_addresses (user_id) where is_primary;
create unique index email_addresses_verified on email_addresses (brand, lower(email)) where verified;

create table mail_links (
  id uuid primary key,
  kind text not null check (kind in ('confirm', 'reset')),
  token_hash bytea not null unique,
  address_id integer not null references email_addresses on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_links_address on mail_links (address_id, kind, created_at);
create index mail_links_expired on mail_links (expires_at);

insert into email_addresses (user_id, brand, email, verified, is_primary)
  select id, brand, email, is_primary_email_verified, true from users;
`

/** The address of an account that exists becomes its first row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
