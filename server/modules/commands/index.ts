export { pauseArgs, refusalOf, FLUSH_WITHIN_MS, type HolderState } from './commands.rules.ts'
export {
  agentRecordOf,
  disconnectAgent,
  post,
  sendCommand,
  sendMessage,
  type Command,
  type CommandAnswer,
} from './commands.service.ts'
export { envelope, type Envelope, type EnvelopeAnswer, type Refusal } from './envelope.ts'
export { toastEvent } from './toast.ts'
export { addViewer, hasViewers } from './viewers.service.ts'
