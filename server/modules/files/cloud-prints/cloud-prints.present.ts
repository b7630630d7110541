import type { CloudPrint, CloudPrintReason, CloudPrintState } from '@vigil/contract/files/cloud-prints.ts'
import { type Language, type Text, text } from '../../../http/texts.ts'
import type { CloudPrintRow } from './cloud-prints.queries.ts'

/** Why a file is not printed, in words; those of the agent where it gave any. */
export const reasonText = (reason: CloudPrintReason, words: string | null): Text =>
  words === null
    ? text('cloud-prints-server', reason)
    : text('cloud-prints-server', 'refusedWith', { words: words.slice(0, 500) })

/** A hand-over of the wire. */
export function presentCloudPrint(row: CloudPrintRow, language: Language): CloudPrint {
  const reason = row.reason as CloudPrintReason | null
  return {
    id: row.id,
    printer: row.printerId,
    g_code_file: row.gCodeFileId,
    filename: row.filename,
    state: row.state as CloudPrintState,
    reason,
    detail: reason === null ? null : reasonText(reason, row.words).in(language),
    num_bytes: row.numBytes,
    bytes_sent: row.bytesSent,
    print: row.printId,
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  }
}
