import { type Kysely, sql } from 'kysely'

/** A second factor: codes of an app, passkeys, codes for when these are lost (docs/rules/people.md 10). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table sessions add column confirmed_at timestamptz;

create table totp_factors (
  user_id integer primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null,
  created_at timestamptz not null
);

create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  rp_id text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table recovery_codes (
  user_id integer not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table factor_resets (
  user_id integer primary key references users on delete cascade,
  due_at timestamptz
);

alter table mail_links drop constraint mail_links_kind_check;
alter table mail_links add constraint mail_links_kind_check check (kind in ('confirm', 'reset', 'keep-factors'));
`,
    )
    .execute(db)
}
