import { type Kysely, sql } from 'kysely'

/** Letters to users, each sent once: `key` names what it is about. What it said is kept until it was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      key text primary key,
      user_id integer not null references users on delete cascade,
      address text not null,
      template text not null,
      data jsonb not null,
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'expired')),
      tries integer not null default 0,
      outcome text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      sent_at timestamptz
    )`.execute(db)
  await sql`create index mails_created on mails (created_at)`.execute(db)
  await sql`create index mails_user on mails (user_id)`.execute(db)
}
