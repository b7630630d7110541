import type { Ctx } from '../../../ctx.ts'
import { onFrame } from '../agents/index.ts'
import { openPassthru } from './passthru.receiver.ts'

export { askAgent, type Question } from './ask.service.ts'
export { type AgentKind, agentKindOf } from './passthru.rules.ts'
export { type AgentReply, orderAgent, type Ordered } from './order.service.ts'
export { Passthru, type PassthruOptions } from './passthru.session.ts'

/** What agents answer, and say of their own accord, to browsers. */
export function registerPassthru(_app: unknown, ctx: Ctx): void {
  onFrame(ctx, 'passthru', openPassthru)
}
