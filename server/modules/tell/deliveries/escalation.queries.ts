import { sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { NamedPrint, Notice } from '../messages/index.ts'

/**
 * Whether somebody has answered an alert since: in the app, by a link, or by anything that was done to the print, at the
 * printer too. A print that is over asks for no answer, nor one that is watched again.
 */
export async function isAnswered(db: Db, { noticeKey, notice, since }: Asked): Promise<boolean> {
  const { print, printer, printPaused } = notice
  if (notice.others !== undefined) return await isOver(db, noticeKey, [notice, ...notice.others])
  const acts = printPaused ? ['RESUMED', 'ENDED'] : ['PAUSED', 'RESUMED', 'ENDED']
  const { rows } = await sql<{ answered: boolean }>`
    select exists (
      select from alert_links where notice_key = ${noticeKey} and (answered_at is not null or paused_at is not null)
    ) or exists (
      select from prints where id = ${print.id} and (alert_acknowledged_at >= ${since} or alert_muted_at >= ${since}
        or finished_at is not null or cancelled_at is not null or deleted_at is not null)
    ) or exists (
      select from audit where printer_id = ${printer.id} and print_id = ${print.id} and created_at >= ${since}
        and action like 'command.%' and actor <> 'system' and outcome = 'sent'
    ) or exists (
      select from printer_events where print_id = ${print.id} and created_at >= ${since} 
        and (event_type = any(${acts}::text[]) or (code = 'watching_again' and ${notice.kind === 'NotWatching'}))
    ) as answered`.execute(db)
  return rows[0]?.answered ?? false
}

/** Of several prints: nothing is left to be told when the message was answered, or all of them are watched again, or over. */
async function isOver(db: Db, noticeKey: string, of: readonly NamedPrint[]): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    select exists (
      select from alert_links where notice_key = ${noticeKey} and answered_at is not null
    ) or not exists (
      select from watch_alarms where print_id = any(${of.map(({ print }) => print.id)}::integer[]) and cleared_at is null
    ) as over`.execute(db)
  return rows[0]?.over ?? false
}

/** Whether somebody has said that they have seen an alert, or what it is: by its links, or of a failure in the app. */
export async function isSeen(db: Db, { noticeKey, notice, since }: Asked): Promise<boolean> {
  const { rows } = await sql<{ seen: boolean }>`
    select exists (
      select from alert_links where notice_key = ${noticeKey} and answered_at is not null
    ) or ${notice.kind === 'PrintFailure'} and exists (
      select from prints where id = ${notice.print.id}
        and (alert_acknowledged_at >= ${since} or alert_muted_at >= ${since})
    ) as seen`.execute(db)
  return rows[0]?.seen ?? false
}
interface Asked {
  readonly noticeKey: string
  readonly notice: Notice
  readonly since: Date
}

const NOTICES = 7_310_031

/** Waits for its turn to say how a notice goes on, until the transaction ends: a lock of the notice, not of a reader, as it has several. */
export async function lockNotice(tx: Db, noticeKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NOTICES}::int, hashtext(${noticeKey}))`.execute(tx)
}

/**
 * An alert that nobody of somebody's channels took who were told so far goes on to their next ones at once, and where they have no more to
 * the next person: whose try has failed may be told beside them. That who may only look was told keeps nobody waiting. Returns whether it
 * does. `programs`: channels that nobody reads.
 */
export async function tellNext(
  db: Db,
  { noticeKey, userId }: { readonly noticeKey: string; readonly userId: UserId },
  { now, programs }: { now: Date; programs: readonly string[] },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with waiting as (
      select id, due_at, user_id = ${userId} as is_own from deliveries
      where notice_key = ${noticeKey} and outcome is null and waits_for = 'escalation' and attempts = 0 and due_at > ${now}
    ), candidate as (
      select id, due_at, is_own from waiting where is_own or not exists (select from waiting where is_own)
    )
    update deliveries set due_at = ${now}
    where id in (select id from candidate where due_at = (select min(due_at) from candidate))
      and not exists (
        select from deliveries told where told.notice_key = ${noticeKey} and told.channel <> all(${[...programs]}::text[])
          and told.notice ? 'linkId' and (told.user_id = ${userId} or not exists (select from candidate where is_own))
          and (told.outcome = 'accepted'
            or told.outcome is null and told.problem is null and told.id not in (select id from waiting))
      )`.execute(db)
  return numAffectedRows > 0n
}
