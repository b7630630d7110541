import { CLOSE } from '@vigil/contract/sockets.ts'
import type { FastifyInstance } from 'fastify'
import { type Ctx, RESTARTS } from '../../../ctx.ts'
import { agentsConnected } from '../../../engines/metrics/index.ts'
import { forbidden } from '../../../http/errors.ts'
import { isFirst } from '../../../http/limits.ts'
import { socket } from '../../../http/socket.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { post } from '../commands/index.ts'
import { writeEvent } from '../events/index.ts'
import { isSilenced, readAgent, silence, unsilence } from '../presence/index.ts'
import { findOwned } from './agents.queries.ts'
import { AgentSession } from './session.ts'

const TOLD_EVERY_MS = 3_600_000

/** A second agent came with the token of a connected one; its owner hears of it once an hour (docs/wire/agents.md 8.2). */
async function warnSharedToken(ctx: Ctx, printerId: PrinterId): Promise<void> {
  ctx.log.warn({ printerId }, 'two agents share one token')
  await warn(ctx, printerId, 'agent_shared_token')
}

/** The agent's socket is open and nothing is reported on it (docs/wire/agents.md 8.2 d). */
async function warnMute(ctx: Ctx, printerId: PrinterId): Promise<void> {
  await warn(ctx, printerId, 'agent_needs_restart')
}

async function warn(ctx: Ctx, printerId: PrinterId, code: string): Promise<void> {
  if (!(await isFirst(ctx, `agent:${printerId}:${code}`, TOLD_EVERY_MS))) return
  const printer = await findOwned(ctx.db, printerId)
  if (printer === undefined) return
  await ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...ctx, db: tx },
      {
        userId: printer.userId,
        printerId,
        printId: null,
        type: 'PRINTER_ERROR',
        class: 'WARNING',
        code,
        params: { printer: printer.name },
      },
    ),
  )
}

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
    await warnSharedToken(ctx, session.printerId)
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
            void warnMute(ctx, principal.printerId).catch((error: unknown) =>
              ctx.log.error({ err: error }, 'a mute agent was not reported'),
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
