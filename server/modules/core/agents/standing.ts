import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { ofAgent } from '../access/index.ts'
import { type AgentRecord, putAgent, removeAgent, tell } from '../presence/index.ts'
import { setSeen } from './agents.queries.ts'
import type { Pulse } from './pulse.ts'
import type { Standing } from './vitals.rules.ts'

/** How a teller's agent reached us, and whom to call once when it is connected yet reports nothing. */
interface Around {
  readonly reachesUsAt: string
  readonly onMute: () => void
}

/** What the others are told about one agent. */
export class Teller {
  readonly #ctx: Ctx
  readonly #printerId: PrinterId
  readonly #pulse: Pulse
  readonly #around: Around
  /** What stands in `live`; null before the greeting. */
  last: Standing | null = null

  constructor(ctx: Ctx, printerId: PrinterId, pulse: Pulse, around: Around) {
    this.#ctx = ctx
    this.#printerId = printerId
    this.#pulse = pulse
    this.#around = around
  }

  /** Says on all nodes how the agent stands; only a change is news to browsers. A store that is away hears it with the next beat. */
  tell(standing: Standing, epoch: number): void {
    const { last } = this
    const { state, needsRestart, heardAt, away = null } = standing
    const { shownAt } = this.#pulse
    this.last = standing
    const record: AgentRecord = {
      state,
      seenAt: this.#timeOf(heardAt),
      reportedAt: shownAt === null ? null : this.#timeOf(shownAt),
      needsRestart,
      away,
      epoch,
      reachesUsAt: this.#around.reachesUsAt,
    }
    const silentMs = this.#ctx.clock.monotonic() - heardAt
    putAgent(this.#ctx, this.#printerId, record, silentMs).catch(() => undefined)
    if (needsRestart && !last?.needsRestart) this.#around.onMute()
    const isSame = last?.state === state && last.needsRestart === needsRestart && (last.away ?? null) === away
    if (!isSame) tell(this.#ctx, this.#printerId, 'live')
  }

  /** The server stops, not the agent: other nodes, and this one after a restart, wait for it. */
  async keepPlace(): Promise<void> {
    const seenAt = this.#ctx.clock.now()
    const record = { state: 'waiting', seenAt, reportedAt: null, needsRestart: false, epoch: 0 } as const
    await putAgent(this.#ctx, this.#printerId, record, 0)
  }

  /** The agent has left: it is offline, and its browsers say since when. */
  async left(): Promise<void> {
    await removeAgent(this.#ctx, this.#printerId)
    const printer = ofAgent({ printerId: this.#printerId })
    await setSeen(this.#ctx.db, printer, new Date(this.#timeOf(this.#pulse.heardAt)))
    tell(this.#ctx, this.#printerId, 'changed')
  }

  /** When that was which stands on the monotonic clock, in milliseconds since 1970. */
  #timeOf(monotonic: number): number {
    const { clock } = this.#ctx
    return clock.now() - (clock.monotonic() - monotonic)
  }
}
