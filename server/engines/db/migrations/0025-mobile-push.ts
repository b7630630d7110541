import { type Kysely, sql } from 'kysely'

/** Who has a phone with our app has the channel `mobile`, heaters included, as the apps have always had it. */
const CHANNEL = `
create function add_mobile_channel() returns trigger language plpgsql as $$
begin
  insert into notification_settings (user_id, name, notify_on_heater_status)
    values (new.user_id, 'mobile', true) on conflict do nothing;
  return null;
end $$;
create trigger mobile_devices_channel after insert on mobile_devices
  for each row execute function add_mobile_channel();
insert into notification_settings (user_id, name, notify_on_heater_status)
  select distinct user_id, 'mobile', true from mobile_devices where deactivated_at is null on conflict do nothing;

create index mobile_devices_active on mobile_devices (user_id) where deactivated_at is null;
create index notification_settings_mqtt on notification_settings (id) where name = 'mqtt' and enabled;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(CHANNEL).execute(db)
}
