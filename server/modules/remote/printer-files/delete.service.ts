import { statusOf } from '@vigil/contract/core/status.ts'
import { randomUUID } from 'node:crypto'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../../core/access/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { agentKindOf, orderAgent } from '../../core/passthru/index.ts'
import { readPresence } from '../../core/presence/index.ts'
import { throughMoonraker } from './moonraker.service.ts'
import { isInUse, type NotDeleted } from './printer-files.rules.ts'

/** A file on a printer that its owner wants gone. */
export interface Deletion {
  readonly printer: Authorized<'control', { readonly id: PrinterId; readonly agentName: string | null }>
  readonly path: string
  readonly by: { readonly actor: 'web' | 'api'; readonly userId: UserId }
}

const EXPIRES_IN_MS = 10_000

/** Deletes a file that lies on a printer, unless it is being printed or loaded for it; null when it is gone. */
export async function deleteFile(ctx: Ctx, deletion: Deletion): Promise<NotDeleted | null> {
  const { printer, path } = deletion
  const { status, agent } = await readPresence(ctx, printer.id)
  const reading = statusOf(status)
  if (agent === null || agent.epoch === 0 || reading === null) return { reason: 'off' }
  if (isInUse(reading, path)) return { reason: 'in_use' }
  if (agentKindOf(printer.agentName) !== 'klipper') return await throughCall(ctx, deletion)
  const refused = await throughMoonraker(ctx, printer.id, path, EXPIRES_IN_MS)
  await audit(ctx, deletion, refused?.reason ?? 'sent')
  return refused
}

async function throughCall(ctx: Ctx, deletion: Deletion): Promise<NotDeleted | null> {
  const { printer, path } = deletion
  const { sent, reply } = await orderAgent(ctx, printer, {
    call: { target: '_file_manager', func: 'remove_file', args: ['local', path] },
    id: `delete-file-${randomUUID()}`,
    printId: null,
    expiresInMs: EXPIRES_IN_MS,
  })
  const answer = await reply
  await audit(ctx, deletion, sent.sent ? 'sent' : sent.reason)
  if (!sent.sent && sent.reason !== 'unanswered')
    return { reason: sent.reason === 'offline' ? 'off' : 'not_sent' }
  if (answer === null) return { reason: 'no_answer' }
  return answer.refusal === null ? null : { reason: 'refused', words: answer.refusal.slice(0, 500) }
}

/** Who wanted it, whatever came of it. */
async function audit(ctx: Ctx, { printer, path, by }: Deletion, outcome: string): Promise<void> {
  const entry = {
    ...by,
    printerId: printer.id,
    printId: null,
    action: 'printer_file.delete',
    outcome,
    detail: { path },
  }
  await writeAudit(ctx, entry).catch((error: unknown) =>
    ctx.log.error({ err: error, ...entry }, 'the audit of a deletion was not written'),
  )
}
