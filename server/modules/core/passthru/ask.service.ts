import { randomUUID } from 'node:crypto'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { sendMessage } from '../commands/index.ts'
import { onPassthru, type PassthruItem, type PassthruNews } from '../presence/index.ts'

/** What is asked of an agent's program (docs/wire/agents.md 7.2). */
export interface Question {
  readonly target: string
  readonly func: string
  readonly args?: readonly unknown[]
  readonly kwargs?: Readonly<Record<string, unknown>>
}

/**
 * Asks the agent of a printer something that changes nothing there, on whatever node it is connected. Resolves with what it answers;
 * null when it is not there, says no, or has not answered in `withinMs`. What comes back was written by a stranger.
 */
export async function askAgent(
  ctx: Ctx,
  printerId: PrinterId,
  question: Question,
  withinMs: number,
): Promise<unknown> {
  const ref = randomUUID()
  const answer = Promise.withResolvers<PassthruItem | null>()
  const timer = setTimeout(() => answer.resolve(null), withinMs).unref()
  const stop = await onPassthru(ctx, printerId, (news) => {
    if (!news.isTerminal && news.read()['ref'] === ref) answer.resolve(whole(news))
  })
  try {
    const { sent } = await sendMessage(ctx, printerId, { passthru: { ...question, ref } })
    return sent ? ((await answer.promise)?.['ret'] ?? null) : null
  } catch (error) {
    ctx.log.warn({ err: error, printerId, func: question.func }, 'an answer of an agent was lost')
    return null
  } finally {
    clearTimeout(timer)
    stop()
  }
}

const whole = async (news: PassthruNews) => await (news.fetch?.() ?? news.read())
