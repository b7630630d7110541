import { type Kysely, sql } from 'kysely'

/** Who else may do what with an account's printers (docs/rules/people.md 16). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table memberships (
      id integer generated always as identity primary key,
      owner_id integer not null references users on delete cascade,
      member_id integer references users on delete cascade,
      email text not null,
      role text not null check (role in ('viewer', 'operator', 'owner')),
      printer_ids integer[],
      place integer,
      link_id text not null,
      token_hash bytea not null unique,
      invited_at timestamptz not null,
      expires_at timestamptz not null,
      accepted_at timestamptz,
      check (member_id is null or accepted_at is not null),
      check (member_id <> owner_id)
    )
  `.execute(db)
  await sql`create unique index memberships_of on memberships (owner_id, member_id) where member_id is not null`.execute(
    db,
  )
  await sql`create unique index memberships_invited on memberships (owner_id, lower(email)) where member_id is null`.execute(
    db,
  )
  await sql`create index memberships_member on memberships (member_id) where member_id is not null`.execute(
    db,
  )
  // One place says whose printers are whose to do what with: an account's own, and those that it was let in to.
  await sql`
    create function printer_rights(me integer) returns table (printer_id integer, role text) language sql stable as $$
      select p.id, 'self' from printers p where p.user_id = me
      union all
      select p.id, m.role from memberships m join printers p on p.user_id = m.owner_id
      where m.member_id = me and (m.printer_ids is null or p.id = any(m.printer_ids))
    $$
  `.execute(db)
  // Of one thing several people are told by the same channel.
  await sql`
    alter table deliveries drop constraint deliveries_notice_key_channel_key,
      add constraint deliveries_once unique (notice_key, channel, user_id)
  `.execute(db)
  await sql`create index audit_household on audit ((detail ->> 'account'), created_at) where action like 'household.%'`.execute(
    db,
  )
}
