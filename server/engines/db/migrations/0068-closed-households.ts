import { type Kysely, sql } from 'kysely'

/** An account that is closed shares nothing, until it is kept (docs/rules/people.md 13 and 16). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function printer_rights(me integer) returns table (printer_id integer, role text) language sql stable as $$
      select p.id, 'self' from printers p where p.user_id = me
      union all
      select p.id, m.role from memberships m join users u on u.id = m.owner_id join printers p on p.user_id = m.owner_id
      where m.member_id = me and u.is_active and (m.printer_ids is null or p.id = any(m.printer_ids))
    $$
  `.execute(db)
}
