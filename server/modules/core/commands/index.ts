import type { Ctx } from '../../../ctx.ts'
import { registerChannel } from '../events/index.ts'
import { toasts } from './toast.ts'

export { pauseArgs, refusalOf, FLUSH_WITHIN_MS, type HolderState } from './commands.rules.ts'
export {
  auditOf,
  deliverCommand,
  post,
  sendCommand,
  sendMessage,
  settledAfter,
  type Command,
  type CommandAnswer,
} from './commands.service.ts'
export { envelope, type Envelope, type EnvelopeAnswer, type Refusal } from './envelope.ts'
export { addViewer, askForStill } from './viewers.service.ts'

/** Events are told to open browsers. */
export function registerCommands(_app: unknown, ctx: Ctx): void {
  registerChannel(ctx, toasts)
}
