import type { CloudPrintReason } from '@vigil/contract/files/cloud-prints.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Text } from '../../../http/texts.ts'
import type { Authorized } from '../../core/access/index.ts'
import type { Refusal } from '../../core/commands/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { type FileRow, findOwnFile } from '../gcode-files/index.ts'
import { type AgentReply, orderAgent, type Ordered } from '../../core/passthru/index.ts'
import { readAgent, readPresence, tell } from '../../core/presence/index.ts'
import { notReady } from './cloud-prints.rules.ts'
import { reasonText } from './cloud-prints.present.ts'
import * as queries from './cloud-prints.queries.ts'
import type { CloudPrintRow } from './cloud-prints.queries.ts'
import { ADDRESS_MS, addressOf } from './content.service.ts'
import { fail } from './ending.service.ts'

/** A wish to print a file of the cloud on a printer. */
export interface CloudPrintWish {
  readonly printer: Authorized<'control'>
  /** Of the printer's owner: any other is as if it were not there. */
  readonly fileId: FileId
  /** Who wants it: a person in the browser or by an app, or the server by itself (its queue). */
  readonly by: { readonly actor: 'web' | 'api' | 'system'; readonly userId: UserId | null }
}

/** What came of a wish: the hand-over that has begun, or was under way; or why nothing was sent. */
export type CloudPrintAnswer =
  | { readonly ok: true; readonly cloudPrint: CloudPrintRow; readonly isNew: boolean }
  | { readonly ok: false; readonly reason: CloudPrintReason; readonly text: Text }

type FoundPrinter = NonNullable<Awaited<ReturnType<typeof queries.findPrinter>>>

const EXPIRES_IN_MS = 10_000
/** Agents answer at once; who wished for it waits no longer. */
const REPLY_WITHIN_MS = 3_000

const refuse = (reason: CloudPrintReason, words: string | null = null): CloudPrintAnswer => ({
  ok: false,
  reason,
  text: reasonText(reason, words),
})

/**
 * The one way to print a file of the cloud: tells the printer's agent to fetch it, now or never, and once, however often it is
 * wished for meanwhile. Refuses when the printer is off, busy or cannot, or the file has gone; nothing is sent then. What becomes of
 * it is followed to the first layer, over restarts. Raises no error for what people can cause.
 */
export async function startCloudPrint(ctx: Ctx, wish: CloudPrintWish): Promise<CloudPrintAnswer> {
  const printer = await queries.findPrinter(ctx.db, wish.printer)
  if (printer === undefined) return refuse('unavailable')
  const file = await findOwnFile(ctx.db, printer.userId, wish.fileId)
  const begun = await begin(ctx, printer, file)
  return begun.ok && begun.isNew ? await handOver(ctx, wish, begun.cloudPrint) : begun
}

/** Writes down that it begins, if it may: of several at once one gets in. */
async function begin(ctx: Ctx, printer: FoundPrinter, file: FileRow | null): Promise<CloudPrintAnswer> {
  if (file?.deletedAt) return refuse('deleted')
  if (file === null || file.residentPrinterId !== null) return refuse('no_content')
  const { content, numBytes } = file
  if (content === null || !numBytes) return refuse('no_content')
  const same = (row: CloudPrintRow | null): CloudPrintAnswer =>
    row?.gCodeFileId === file.id ? { ok: true, cloudPrint: row, isNew: false } : refuse('busy')
  const underWay = await queries.findUnderWay(ctx.db, printer.id)
  if (underWay !== null) return same(underWay)
  const reason = await whyNot(ctx, printer)
  if (reason !== null) return refuse(reason)
  if ((await ctx.files.stat(content))?.numBytes !== numBytes) return refuse('no_content')
  const now = ctx.clock.now()
  const row = await queries.insertCloudPrint(ctx.db, {
    userId: printer.userId,
    printerId: printer.id,
    gCodeFileId: file.id,
    filename: file.filename,
    safeFilename: file.safeFilename,
    numBytes,
    addressUntil: new Date(Math.ceil((now + ADDRESS_MS) / 1000) * 1000),
    createdAt: new Date(now),
    lookedAt: new Date(now),
  })
  if (row !== null) return { ok: true, cloudPrint: row, isNew: true }
  return same(await queries.findUnderWay(ctx.db, printer.id))
}

async function whyNot(ctx: Ctx, printer: FoundPrinter): Promise<CloudPrintReason | null> {
  const { status, agent } = await readPresence(ctx, printer.id)
  return notReady({
    agentName: printer.agentName,
    agentVersion: printer.agentVersion,
    isAgentThere: agent !== null && agent.epoch !== 0 && agent.state !== 'not_responding',
    status: statusOf(status),
    isPrinting: printer.currentPrintId !== null,
  })
}

/** Sends it, and waits a moment for what the agent says. */
async function handOver(ctx: Ctx, wish: CloudPrintWish, row: CloudPrintRow): Promise<CloudPrintAnswer> {
  const { id, printerId, gCodeFileId, filename, safeFilename } = row
  tell(ctx, printerId, 'changed')
  const base = (await readAgent(ctx, printerId))?.reachesUsAt ?? ctx.config.PUBLIC_URL ?? ''
  const file = { id: gCodeFileId, url: addressOf(ctx, row, base), filename, safe_filename: safeFilename }
  const asked = await orderAgent(ctx, wish.printer, {
    call: { target: 'file_downloader', func: 'download', args: [file] },
    id: `cloud-print-${id}`,
    printId: 'none',
    expiresInMs: EXPIRES_IN_MS,
  })
  await audit(ctx, wish, row, asked.sent)
  if (!asked.sent.sent && asked.sent.reason !== 'unanswered') {
    const reason = reasonOf(asked.sent.reason)
    await fail(ctx, row, { reason, isKnown: true })
    return refuse(reason)
  }
  return await hear(ctx, row, asked)
}

const reasonOf = (refusal: Refusal): CloudPrintReason =>
  refusal === 'offline' ? 'off' : refusal === 'other_print' ? 'busy' : 'not_sent'

/** An answer that comes later is kept all the same, and one that never comes is made up for by what is seen. */
async function hear(ctx: Ctx, row: CloudPrintRow, { reply }: Ordered): Promise<CloudPrintAnswer> {
  const soon = await Promise.race([reply, sleep(REPLY_WITHIN_MS, 'later' as const, { ref: false })])
  if (soon !== 'later') return await take(ctx, row, soon, true)
  void reply
    .then(async (late) => await take(ctx, row, late, false))
    .catch((error: unknown) =>
      ctx.log.error({ err: error, printerId: row.printerId }, 'the answer to a hand-over was not kept'),
    )
  return { ok: true, cloudPrint: row, isNew: true }
}

async function take(
  ctx: Ctx,
  row: CloudPrintRow,
  reply: AgentReply | null,
  isKnown: boolean,
): Promise<CloudPrintAnswer> {
  if (reply === null || reply.refusal === null) {
    const sent = reply && (await queries.updateCloudPrint(ctx.db, row.id, ['sending'], { state: 'sent' }))
    if (sent) tell(ctx, row.printerId, 'changed')
    return { ok: true, cloudPrint: sent ?? row, isNew: true }
  }
  const isBusy = /busy/i.test(reply.refusal)
  const [reason, words] = isBusy ? (['busy', null] as const) : (['refused', reply.refusal] as const)
  await fail(ctx, row, { reason, words, isKnown })
  return refuse(reason, words)
}

/** The command is out or it is not: a database that is away changes nothing about that. */
async function audit(
  ctx: Ctx,
  { by }: CloudPrintWish,
  { printerId, gCodeFileId, id }: CloudPrintRow,
  answer: Ordered['sent'],
): Promise<void> {
  const entry = {
    ...by,
    printerId,
    printId: null,
    action: 'cloud_print.start',
    outcome: answer.sent ? 'sent' : answer.reason,
    detail: { cloudPrint: id, file: gCodeFileId },
  }
  await writeAudit(ctx, entry).catch((error: unknown) =>
    ctx.log.error({ err: error, ...entry }, 'the audit of a hand-over was not written'),
  )
}
