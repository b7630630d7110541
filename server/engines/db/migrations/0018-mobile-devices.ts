import { type Kysely, sql } from 'kysely'

/** Phones with our app, by the token of their push service; one that is not reached any more stays, deactivated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mobile_devices (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      platform text not null check (platform in ('android', 'ios')),
      app_version text not null,
      device_token text not null,
      preferred_timezone text,
      deactivated_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (user_id, device_token)
    )`.execute(db)
  await sql`create index mobile_devices_token on mobile_devices (device_token)`.execute(db)
}
