import { randomUUID } from 'node:crypto'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { PrinterFileReason } from '@vigil/contract/remote/printer-files.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Authorized } from '../../core/access/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { agentKindOf, orderAgent } from '../../core/passthru/index.ts'
import { readPresence } from '../../core/presence/index.ts'
import { carry, TunnelFailed, type TunnelTrouble } from '../tunnels/index.ts'
import { isInUse, type NotDeleted, moonrakerPath } from './printer-files.rules.ts'

const REASONS: Readonly<Record<TunnelTrouble, PrinterFileReason>> = {
  offline: 'off',
  old: 'not_supported',
  busy: 'not_sent',
  tooLarge: 'not_sent',
  lengthRequired: 'not_sent',
  timeout: 'no_answer',
  agent: 'no_answer',
  lost: 'no_answer',
}
/** Of what Moonraker says when it refuses. */
const MOST_BYTES = 16_384

/**
 * Deletes a file on a Klipper printer by Moonraker's own call, through the tunnel, since its agent has none for it
 * (docs/wire/agents.md 7.2). Moonraker itself refuses to delete what is being printed. Null when it is gone.
 */
async function throughMoonraker(
  ctx: Ctx,
  printerId: PrinterId,
  path: string,
  withinMs: number,
): Promise<NotDeleted | null> {
  const request = {
    method: 'DELETE',
    path: moonrakerPath(path),
    headers: {},
    class: 'document',
    signal: AbortSignal.timeout(withinMs),
  } as const
  try {
    // The owner asked for it on our page, not on the printer's: it counts for nobody's month.
    const { status, body } = await carry(ctx, printerId, request, () => undefined)
    const said = await firstOf(body)
    return status >= 200 && status < 300 ? null : { reason: 'refused', words: wordsOf(said, status) }
  } catch (error) {
    if (error instanceof TunnelFailed) return { reason: REASONS[error.why] }
    if (request.signal.aborted) return { reason: 'no_answer' }
    throw error
  }
}

async function firstOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let numBytes = 0
  for await (const part of body) {
    parts.push(part)
    numBytes += part.length
    if (numBytes > MOST_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, MOST_BYTES).toString()
}

const refusal = z.object({ error: z.object({ message: z.string() }) })

/** `{"error": {"code", "message"}}` as Moonraker words it; the status where it is something else that answers. */
function wordsOf(said: string, status: number): string {
  try {
    return refusal.parse(JSON.parse(said)).error.message.slice(0, 500)
  } catch {
    return `HTTP ${status}`
  }
}

/** A file on a printer that its owner wants gone. */
export interface Deletion {
  readonly printer: Authorized<'edit', { readonly id: PrinterId; readonly agentName: string | null }>
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
