import { type Kysely, sql } from 'kysely'

/** Accounts that are about to go, and archives of what is somebody's (docs/rules/people.md 13 and 14). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table departures (
  user_id integer primary key references users on delete cascade,
  reason text not null,
  reason_code text,
  asked_at timestamptz not null,
  due_at timestamptz not null
);
create index departures_due on departures (due_at);
create table exports (
  id integer generated always as identity primary key,
  user_id integer not null unique references users on delete cascade,
  session_id integer references sessions on delete set null,
  state text not null,
  done integer not null default 0,
  total integer not null default 0,
  missing integer not null default 0,
  content jsonb,
  num_bytes bigint,
  asked_at timestamptz not null,
  ready_at timestamptz,
  expires_at timestamptz
);
create index exports_session on exports (session_id);
alter table mail_links drop constraint mail_links_kind_check;
alter table mail_links add constraint mail_links_kind_check check (kind in ('confirm', 'reset', 'keep-factors', 'keep-account'));
`,
    )
    .execute(db)
}
