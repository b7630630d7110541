import type { PrinterFileReason } from '@vigil/contract/remote/printer-files.ts'
import { z } from 'zod'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { carry, TunnelFailed, type TunnelTrouble } from '../tunnels/index.ts'
import { moonrakerPath, type NotDeleted } from './printer-files.rules.ts'

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
export async function throughMoonraker(
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
