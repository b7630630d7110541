import { CLOSE } from '@vigil/contract/sockets.ts'
import type { FastifyInstance } from 'fastify'
import { type Ctx, RESTARTS } from '../../../ctx.ts'
import { agentsConnected } from '../../../engines/metrics/index.ts'
import { forbidden } from '../../../http/errors.ts'
import { socket } from '../../../http/socket.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { post } from '../commands/index.ts'
import { isSilenced, readAgent, silence, unsilence } from '../presence/index.ts'
import { AgentSession } from './session.ts'
import { warn } from './warnings.service.ts'

const TICK_MS = 1_000
const PROBE_EXPIRES_MS = 5_000

/** `/ws/dev/`: the agents' sockets (docs/wire/agents.md 4). */
export function agentSockets(app: FastifyInstance, ctx: Ctx): void {
  const sessions = new Map<number, Set<AgentSession>>()

  everyTick(ctx, TICK_MS, (now) => {
    agentsConnected.set(sessions.size)
    for (const set of sessions.values()) for (const session of set) session.tick(now)
  })
  ctx.stopping.addEventListener(
    'abort',
    () => {
      for (const set of sessions.values())
        for (const session of set) {
          if (ctx.stopping.reason === RESTARTS) session.leaveToReturn()
          else session.close(CLOSE.going, 'the server restarts')
        }
    },
    { once: true },
  )

  const add = (session: AgentSession) => {
    const set = sessions.get(session.printerId) ?? new Set()
    sessions.set(session.printerId, set.add(session))
  }
  const remove = (session: AgentSession) => {
    const set = sessions.get(session.printerId)
    set?.delete(session)
    if (set?.size === 0) sessions.delete(session.printerId)
    keepLast(session)
  }

  /** What closed sockets have said and the rows do not know yet, by printer: the next socket waits for it. */
  const lastWords = new Map<number, Promise<unknown>>()
  const keepLast = ({ printerId, settled }: AgentSession) => {
    const words = Promise.all([lastWords.get(printerId), settled])
    lastWords.set(printerId, words)
    void words.finally(() => {
      if (lastWords.get(printerId) === words) lastWords.delete(printerId)
    })
  }

  /** Whether an older socket provably lives; a dead one is cut without a close frame. */
  async function hasLivingElder(session: AgentSession): Promise<boolean> {
    const elders = [...(sessions.get(session.printerId) ?? [])].filter((other) => other !== session)
    for (const elder of elders) {
      if (await elder.probe()) return true
      elder.drop()
    }
    const record = await readAgent(ctx, session.printerId)
    if (record === null || elders.some(({ epoch }) => epoch === record.epoch)) return false
    return await answersProbe(session.printerId)
  }

  async function answersProbe(printerId: PrinterId): Promise<boolean> {
    const answer = await post(ctx, printerId, {
      kind: 'probe',
      printId: null,
      frame: {},
      expiresInMs: PROBE_EXPIRES_MS,
    })
    return answer.sent
  }

  async function welcome(session: AgentSession): Promise<void> {
    if (!(await hasLivingElder(session))) {
      for (const elder of sessions.get(session.printerId) ?? []) if (elder !== session) keepLast(elder)
      await lastWords.get(session.printerId)
      return await session.begin()
    }
    await silence(ctx, session.printerId)
    session.close(CLOSE.sharedToken, 'another agent with this token is connected')
    ctx.log.warn({ printerId: session.printerId }, 'two agents share one token')
    await warn(ctx, { printerId: session.printerId, code: 'agent_shared_token' })
  }

  socket(
    app,
    { path: '/ws/dev/', callers: ['printer'] },
    {
      before: async ({ principal }) => {
        const { printerId } = principal
        if (!(await isSilenced(ctx, printerId))) return
        if (await answersProbe(printerId)) throw forbidden('Another agent with this token is connected.')
        await unsilence(ctx, printerId)
      },
      open: (ws, { principal, edge }) => {
        const session: AgentSession = new AgentSession(ctx, ws, principal.printerId, {
          reachesUsAt: `${edge.origin}${edge.prefix}`,
          onClosed: () => remove(session),
          onMute: () =>
            void warn(ctx, { printerId: principal.printerId, code: 'agent_needs_restart' }).catch(
              (error: unknown) => ctx.log.error({ err: error }, 'a mute agent was not reported'),
            ),
        })
        add(session)
        void welcome(session).catch((error: unknown) => {
          ctx.log.error({ err: error, printerId: principal.printerId }, 'an agent could not be welcomed')
          session.drop()
        })
      },
    },
  )
}
