import { type Kysely, sql } from 'kysely'

/**
 * When people are told: quiet hours, digests, and who is told next where nobody answers. Minutes are those of a day on the
 * clocks of the account's time zone. A delivery that `waits_for` something is due at `due_at`; what was held back ends as
 * `summarized`, in the delivery `summary_id`.
 */
const TABLES = `
create table notification_rules (
  user_id integer primary key references users on delete cascade,
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  quiet_spares_alerts boolean not null default true,
  digest text not null default 'off' check (digest in ('off', 'hourly', 'daily')),
  digest_at smallint not null default 1080 check (digest_at between 0 and 1439),
  escalate_after smallint check (escalate_after between 1 and 15),
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_until is null))
);

alter table notification_settings
  add column escalation_step smallint not null default 0 check (escalation_step between 0 and 3);

alter table deliveries
  add column waits_for text check (waits_for in ('quiet', 'digest', 'escalation', 'film')),
  add column summary_id bigint,
  drop constraint deliveries_outcome_check,
  add constraint deliveries_outcome_check
    check (outcome in ('accepted', 'refused', 'expired', 'withdrawn', 'summarized', 'answered'));
create index deliveries_held on deliveries (due_at) where outcome is null and waits_for in ('quiet', 'digest');
create index deliveries_film on deliveries (((notice -> 'print' ->> 'id')::integer))
  where outcome is null and waits_for = 'film';
create index deliveries_setting on deliveries (setting_id) where outcome is null;
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}
