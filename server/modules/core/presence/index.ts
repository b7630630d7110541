import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { agentFrom, type AgentRecord } from './agent.ts'
import { keys } from './names.ts'
import { parseKept } from './parse.ts'
import type { PictureRecord } from './picture.ts'
import type { RawStatus } from './status.ts'

/**
 * The one vocabulary of `live` about a printer: what is known of it right now, what is told of it, and who speaks for its
 * agent. Names, texts and buffers stay in here (docs/wire/rest.md 5.2, docs/rules/prints.md 4).
 */
export {
  type AgentRecord,
  type PrinterAway,
  putAgent,
  readAgent,
  RECORD_EVERY_MS,
  removeAgent,
  SILENT_AFTER_MS,
} from './agent.ts'
export {
  answerOnLine,
  askLine,
  beViewer,
  claimLine,
  disconnectAgent,
  hasViewers,
  isSilenced,
  lineOwner,
  onDisconnect,
  silence,
  unsilence,
} from './line.ts'
export { forgetLook, takeLook } from './look.ts'
export { type News, onNews, tell } from './news.ts'
export { offerAnswer, onPassthru, type PassthruItem, type PassthruNews, tellPassthru } from './passthru.ts'
export { type PictureRecord, type PictureRef, putPicture, readPicture } from './picture.ts'
export { acceptViewers, openVideo } from './video.ts'
export { putStatus, type RawStatus, readStatus } from './status.ts'
export { acceptTunnels, openTunnel } from './tunnel.ts'

/** What is known of a printer right now, read together. */
export interface Presence {
  readonly status: RawStatus | null
  readonly agent: AgentRecord | null
  readonly picture: PictureRecord | null
}

/** The same, with the status as it stands in `live`: what only passes on need not be written anew. */
export interface PresenceAsText extends Presence {
  /** JSON; `null` when the printer is offline. */
  statusText(): string
}

const NAMES = ['status', 'agent', 'heard', 'picture'] as const

/** Status, agent and picture of printers, in their order, asked for at once. Nobody changes them: others read them too. */
export async function readPresences(
  { live }: Pick<Ctx, 'live'>,
  printerIds: readonly PrinterId[],
): Promise<PresenceAsText[]> {
  const values = await live.getMany(printerIds.flatMap((id) => NAMES.map((name) => keys[name](id))))
  return printerIds.map((_, i) => {
    const [status = null, agent = null, heard = null, picture = null] = values.slice(4 * i, 4 * i + 4)
    return {
      status: parseKept(status),
      agent: agentFrom(agent, heard),
      picture: parseKept(picture),
      statusText: () => String(status),
    }
  })
}

/** Status, agent and picture of a printer. */
export async function readPresence(ctx: Pick<Ctx, 'live'>, printerId: PrinterId): Promise<Presence> {
  const [presence] = await readPresences(ctx, [printerId])
  return presence as Presence
}
