import { type Kysely, sql } from 'kysely'

/**
 * Push belongs to the session that turned it on: who signs out, or is signed out by a new password, is told nothing there any
 * more. A session that ran out by time ends no push: nobody signed out, and an alert must not get lost over it.
 */
const TABLES = `
alter table push_subscriptions add session_id integer references sessions on delete set null;
create index push_subscriptions_session on push_subscriptions (session_id);
alter table mobile_devices add session_id integer references sessions on delete set null;
create index mobile_devices_session on mobile_devices (session_id);

create function end_push_of_session() returns trigger language plpgsql as $$
begin
  if old.expires_at > now() then
    delete from push_subscriptions where session_id = old.id;
    update mobile_devices set deactivated_at = now(), updated_at = now()
      where session_id = old.id and deactivated_at is null;
  end if;
  return old;
end $$;
create trigger sessions_end_push before delete on sessions for each row execute function end_push_of_session();

-- Browsers that an account was signed in from, by a word in a cookie of theirs: the first sign-in from another one is told by mail.
create table known_browsers (
  user_id integer not null references users on delete cascade,
  token_hash bytea not null,
  seen_at timestamptz not null,
  primary key (user_id, token_hash)
);
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
