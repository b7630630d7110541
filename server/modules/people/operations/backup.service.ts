import type * as contract from '@vigil/contract/people/operations.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { text } from '../../../http/texts.ts'
import { backedUpAt } from '../../../engines/metrics/index.ts'
import { isNightly } from '../../core/backups/index.ts'
import type { EventMap } from '../../../lib/events.ts'
import { defineMail } from '../mail/index.ts'
import { tellAdmins } from './admins.service.ts'
import { findBackup, saveBackup } from './system.queries.ts'

const say = (key: string, params?: Record<string, string>) => text('admin-server', key, params)
const MOST_REASON = 500

const backupFailed = defineMail({
  name: 'backup-failed',
  schema: z.object({ reason: z.string() }),
  samples: {
    usual: { reason: 'There is no folder /mnt/usb (BACKUP_TO). Is its disk mounted? Else make the folder.' },
  },
  write: ({ reason }, { brand, link }) => ({
    subject: say('backupFailedSubject', { brand: brand.display_name }),
    title: say('backupFailedTitle'),
    blocks: [
      { kind: 'text', words: say('backupFailedText', { reason }) },
      { kind: 'text', words: say('backupFailedNext') },
      { kind: 'buttons', buttons: [{ label: say('seeSystem'), href: link('/admin/system/') }] },
    ],
  }),
})

const kept = z.object({
  doneAt: z.number().nullable(),
  bytes: z.number(),
  place: z.string().nullable(),
  failedAt: z.number().nullable(),
  reason: z.string().nullable(),
})
type Kept = z.infer<typeof kept>
const NONE: Kept = { doneAt: null, bytes: 0, place: null, failedAt: null, reason: null }

async function lastBackup(ctx: Pick<Ctx, 'db'>): Promise<Kept> {
  return kept.safeParse(await findBackup(ctx.db)).data ?? NONE
}

/** Hears of each nightly backup: keeps what came of it, and writes to administrators when it failed. */
export async function watchBackups(ctx: Ctx): Promise<void> {
  backedUpAt.set(((await lastBackup(ctx)).doneAt ?? 0) / 1000)
  ctx.events.on('backup.ended', (ended) => {
    void noteBackup(ctx, ended).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'what came of the backup was not noted'),
    )
  })
}

async function noteBackup(ctx: Ctx, { at, reason, bytes, whole }: EventMap['backup.ended']): Promise<void> {
  const before = await lastBackup(ctx)
  const now: Kept =
    reason === null
      ? { doneAt: at, bytes, place: whole, failedAt: null, reason: null }
      : { ...before, failedAt: at, reason: reason.slice(0, MOST_REASON) }
  await ctx.db.transaction().execute(async (db) => {
    await saveBackup(db, JSON.stringify(now))
    if (now.reason === null) return
    await tellAdmins(
      { ...ctx, db },
      { template: backupFailed, data: { reason: now.reason }, key: `backup-failed:${at}` },
    )
  })
  if (now.doneAt !== null) backedUpAt.set(now.doneAt / 1000)
}

/** The last nightly backup, as administrators see it. */
export async function showBackup(ctx: Ctx): Promise<contract.System['backup']> {
  const { doneAt, bytes, place, failedAt, reason } = await lastBackup(ctx)
  const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return {
    is_nightly: isNightly(ctx.config),
    done_at: moment(doneAt),
    bytes,
    place,
    failed_at: moment(failedAt),
    reason,
  }
}
