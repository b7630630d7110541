import type { PrinterFileReason } from '@vigil/contract/printer-files.ts'
import { statusOf } from '@vigil/contract/status.ts'
import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import type { Authorized } from '../access/index.ts'
import { writeAudit } from '../events/index.ts'
import { agentKindOf, orderAgent } from '../passthru/index.ts'
import { readPresence } from '../presence/index.ts'
import { isInUse } from './printerfiles.rules.ts'

/** A file on a printer that its owner wants gone. */
export interface Deletion {
  readonly printer: Authorized<'control', { readonly id: number; readonly agentName: string | null }>
  readonly path: string
  readonly by: { readonly actor: 'web' | 'api'; readonly userId: number }
}

/** Why it was not deleted; `words` are the agent's own. */
export interface NotDeleted {
  readonly reason: PrinterFileReason
  readonly words?: string
}

const EXPIRES_IN_MS = 10_000

/** Deletes a file that lies on a printer, unless it is being printed or loaded for it; null when it is gone. */
export async function deleteFile(ctx: Ctx, deletion: Deletion): Promise<NotDeleted | null> {
  const { printer, path } = deletion
  const { status, agent } = await readPresence(ctx, printer.id)
  const reading = statusOf(status)
  if (agent === null || agent.epoch === 0 || reading === null) return { reason: 'off' }
  if (isInUse(reading, path)) return { reason: 'in_use' }
  // Klipper's agent asks Moonraker by GET and by POST of a form alone, which delete nothing (docs/wire/agents.md 7.2).
  if (agentKindOf(printer.agentName) === 'klipper') return { reason: 'not_supported' }
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
