import { type Kysely, sql } from 'kysely'

/** Administrators act as somebody for a while, and write notices that people see and put away (docs/rules/people.md 17, 18). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table sessions
  add column acting_as integer references users on delete set null,
  add column acting_until timestamptz;
create index sessions_acting on sessions (acting_until) where acting_until is not null;

create index audit_admin on audit ((detail ->> 'account'), created_at) where action like 'admin.%';

create table account_notices (
  id integer generated always as identity primary key,
  level text not null check (level in ('info', 'warning', 'error')),
  title_en text,
  title_zh text,
  body_en text not null,
  body_zh text not null,
  link_url text,
  link_en text,
  link_zh text,
  audience text not null check (audience in ('all', 'free', 'pro', 'staff')),
  brand text,
  dismissible boolean not null,
  from_at timestamptz not null,
  until_at timestamptz,
  created_at timestamptz not null,
  check (until_at > from_at),
  check ((title_en is null) = (title_zh is null)),
  check ((link_url is null) = (link_en is null) and (link_url is null) = (link_zh is null))
);

create table notice_dismissals (
  user_id integer not null references users on delete cascade,
  notice_id integer not null references account_notices on delete cascade,
  dismissed_at timestamptz not null,
  primary key (user_id, notice_id)
);
create index notice_dismissals_notice on notice_dismissals (notice_id);
`,
    )
    .execute(db)
}
