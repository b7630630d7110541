import { type Kysely, sql } from 'kysely'

/**
 * Browsers that are reached by push, each by the address that its push service gave it: of who turned it on there last. The key
 * that this server signs with is made when it is first asked for, and kept: with another one every browser is lost. Who has a browser
 * has the channel `webpush`; who has none has it no more.
 */
const TABLES = `
create table push_keys (
  id boolean primary key default true check (id),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);

create table push_subscriptions (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  label text not null,
  created_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id);

create function follow_push_subscriptions() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into notification_settings (user_id, name) values (new.user_id, 'webpush') on conflict do nothing;
  end if;
  if tg_op <> 'INSERT' then
    delete from notification_settings s where s.user_id = old.user_id and s.name = 'webpush'
      and not exists (select from push_subscriptions p where p.user_id = old.user_id);
  end if;
  return null;
end $$;
create trigger push_subscriptions_channel after insert or update of user_id or delete on push_subscriptions
  for each row execute function follow_push_subscriptions();
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
