import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../../ctx.ts'
import type { Live } from '../../../engines/live/port.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { announceFailure } from './announce.service.ts'
import { findWatched } from '../watching/watched.queries.ts'
import { RECORD_EVERY_MS } from '../../core/presence/index.ts'
import { INTENT_MS } from './pause.rules.ts'
import { followPause, readSeen } from './pause.service.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
const benches: Bench[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())
afterEach(() => {
  for (const { agent } of benches.splice(0)) agent.ws.terminate()
})

/** A printer that prints, with its agent. */
interface Bench {
  readonly printerId: number
  readonly printId: number
  agent: WireAgent
  readonly token: string
  /** The text of the last status that it has reported. */
  text: string
  report(text: string, flags?: object, event?: string): void
}

let printTs = 1_800_000_000

/** `obeys`: its printer pauses when it is told to, and says so. */
async function aBench({ obeys = false } = {}): Promise<Bench> {
  const { id: printerId, auth_token: token } = await aPrinter(app, owner)
  const ts = ++printTs
  const join = async () => {
    const agent = await connectAgent(app, token)
    await agent.hear((message) => 'remote_status' in message)
    agent.ws.on('message', (data) => {
      if (obeys && String(data).includes('"pause"')) bench.report('Paused', { paused: true }, 'PrintPaused')
    })
    return agent
  }
  const bench: Bench = {
    printerId,
    printId: 0,
    token,
    agent: null as never,
    text: '',
    report(text, flags = {}, event) {
      bench.text = text
      bench.agent.send({
        current_print_ts: ts,
        ...(event && { event: { event_type: event } }),
        status: {
          _ts: app.ctx.clock.now() / 1000,
          state: { text, flags: { printing: text === 'Printing', paused: false, ...flags } },
          job: { file: { name: 'vase.gcode' } },
        },
      })
    },
  }
  bench.agent = await join()
  bench.report('Printing')
  const printId = await eventually(
    async () => (await findWatched(app.ctx.db, printerId))?.printId ?? undefined,
  )
  await eventually(async () => ((await readSeen(app.ctx, printerId)).agent?.reportedAt ? true : undefined))
  Object.assign(bench, { printId })
  benches.push(bench)
  return bench
}

const print = ({ printId }: Bench) =>
  app.ctx.db.selectFrom('prints').selectAll().where('id', '=', asId(printId)).executeTakeFirstOrThrow()
const pauses = ({ agent }: Bench) =>
  agent.heard.filter(({ commands }) => commands?.[0]?.cmd === 'pause').length
const codes = async ({ printId }: Bench) => {
  const rows = await app.ctx.db
    .selectFrom('printerEvents')
    .select('code')
    .where('printId', '=', asId(printId))
    .orderBy('id')
    .execute()
  return rows.map(({ code }) => code).filter((code) => /^(?:failure|pause)_/.test(code ?? ''))
}
const audit = async ({ printId }: Bench) => {
  const rows = await app.ctx.db
    .selectFrom('audit')
    .select('outcome')
    .where('printId', '=', asId(printId))
    .orderBy('id')
    .execute()
  return rows.map(({ outcome }) => outcome)
}

/** A frame is judged to fail. */
async function fail(bench: Bench, ctx: Ctx = app.ctx): Promise<void> {
  const watched = await findWatched(app.ctx.db, asId(bench.printerId))
  if (watched?.printId !== bench.printId) throw new Error('the print has ended')
  const picture = Promise.resolve({ container: 'tsd-pics', path: 'raw/1/1/1.jpg' } as const)
  const decision = { shouldAlert: false, shouldPause: true }
  await announceFailure(ctx, { watched: { ...watched, printId: asId(bench.printId) }, decision, picture })
}

/** The job that follows the last pause. */
async function follow(bench: Bench): Promise<void> {
  const { pauseId } = await print(bench)
  if (pauseId === null) return
  await followPause(app.ctx, { printerId: asId(bench.printerId), printId: asId(bench.printId), id: pauseId })
}

/** Report the same again until it is known of each that a status has come since now; that is written down every few seconds. */
async function reported(...all: Bench[]): Promise<void> {
  const since = app.ctx.clock.now()
  const flags = { Printing: {}, Paused: { paused: true }, Pausing: { pausing: true, printing: true } }
  await eventually(
    async () => {
      for (const bench of all) bench.report(bench.text, flags[bench.text as keyof typeof flags])
      await Promise.all(all.map(heardAll))
      app.advance(RECORD_EVERY_MS / 4)
      const seen = await Promise.all(all.map(({ printerId }) => readSeen(app.ctx, asId(printerId))))
      return seen.every(({ agent }) => (agent?.reportedAt ?? 0) >= since) ? true : undefined
    },
    60_000,
    () => 'no status came',
  )
}

/** Whatever was written to its socket has been heard. */
async function heardAll({ agent }: Bench): Promise<void> {
  const pong = once(agent.ws, 'pong')
  agent.ws.ping()
  await pong
}

class Killed extends Error {}

/** The server's context in a process that is killed after so many steps: statements, jobs, what goes to and comes from `live`. */
function mortal(steps: number): { ctx: Ctx; steps(): number } {
  let taken = 0
  const step = () => {
    if (taken++ >= steps) throw new Killed()
  }
  const both =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      step()
      const result = await work(...args)
      step()
      return result
    }
  const db = app.ctx.db.withPlugin({
    transformQuery({ node }) {
      step()
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const live: Live = { ...app.ctx.live, get: both(app.ctx.live.get), request: both(app.ctx.live.request) }
  const enqueue: Ctx['jobs']['enqueue'] = async (...args) => {
    step()
    await app.ctx.jobs.enqueue(...args)
  }
  return { ctx: { ...app.ctx, db, live, jobs: { ...app.ctx.jobs, enqueue } }, steps: () => taken }
}

describe('a process that is killed', () => {
  it('between any two steps of a pause leaves one pause in all, and claims none that was not sent', async () => {
    const whole = mortal(Infinity)
    await fail(await aBench({ obeys: true }), whole.ctx)
    const count = whole.steps()
    expect(count).toBeGreaterThan(12)
    const lives = await Promise.all(Array.from({ length: count }, () => aBench({ obeys: true })))
    await Promise.all(
      lives.map((bench, steps) =>
        fail(bench, mortal(steps).ctx).then(
          () => expect.fail(`survived step ${steps}`),
          (error: unknown) => expect(error).toBeInstanceOf(Killed),
        ),
      ),
    )
    const wasSent = await Promise.all(
      lives.map(async (bench, steps) => {
        await heardAll(bench)
        const isSent = pauses(bench) === 1
        const { pausedAt } = await print(bench)
        if (pausedAt !== null) expect(isSent, `claimed at step ${steps}`).toBe(true)
        return isSent
      }),
    )
    expect(new Set(wasSent)).toEqual(new Set([false, true]))
    // While the intent is young nobody else sends.
    await Promise.all(
      lives.map(async (bench, steps) => {
        const { pauseId } = await print(bench)
        if (pauseId === null || wasSent[steps]) return
        await fail(bench)
        await heardAll(bench)
        expect(pauses(bench)).toBe(0)
      }),
    )
    app.advance(INTENT_MS + 1_000)
    // All together: this turns the clock, which all of them read.
    await reported(...lives)
    await Promise.all(
      lives.map(async (bench, steps) => {
        // Only what prints is looked at.
        if (bench.text === 'Printing') await fail(bench)
        await heardAll(bench)
        await follow(bench)
        expect(pauses(bench), `step ${steps}`).toBe(1)
        expect(await print(bench), `step ${steps}`).toMatchObject({ pausedAt: expect.any(Date) })
        const told = await codes(bench)
        expect(
          told.filter((code) => code?.includes('paused')),
          `step ${steps}`,
        ).toHaveLength(1)
        expect(
          (await audit(bench)).filter((outcome) => /^(?:sent|found_paused)$/.test(outcome)),
        ).toHaveLength(1)
      }),
    )
  })
})

describe('many prints that fail at once', () => {
  it('hold no connection while their agents answer', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => aBench()))
    const started = Promise.withResolvers<void>()
    let asked = 0
    // No agent answers before every one of them has been asked, and more of them than the pool has connections.
    const request: Live['request'] = async (...args) => {
      if (++asked === all.length) started.resolve()
      await started.promise
      return await app.ctx.live.request(...args)
    }
    const ctx = { ...app.ctx, live: { ...app.ctx.live, request } }
    await Promise.all(all.map((bench) => fail(bench, ctx)))
    for (const bench of all) {
      await heardAll(bench)
      expect(pauses(bench)).toBe(1)
      expect(await audit(bench)).toEqual(['sent'])
    }
  })
})

describe('a pause whose outcome nobody knows', () => {
  let bench: Bench
  const unanswered = (): Ctx => ({ ...app.ctx, live: { ...app.ctx.live, request: async () => null } })

  beforeEach(async () => {
    bench = await aBench()
  })

  it('is told as a failure, claimed by nobody, and decided by the printer, which prints on: sent again', async () => {
    await fail(bench, unanswered())
    expect(await codes(bench)).toEqual(['failure_alerted'])
    expect((await print(bench)).pausedAt).toBeNull()
    app.advance(INTENT_MS + 1_000)
    // A status from before says nothing.
    await fail(bench)
    await heardAll(bench)
    expect(pauses(bench)).toBe(0)
    await reported(bench)
    await fail(bench)
    await heardAll(bench)
    expect(pauses(bench)).toBe(1)
    expect((await print(bench)).pausedAt).not.toBeNull()
    expect(await audit(bench)).toEqual(['unanswered', 'found_printing', 'sent'])
  })

  it('counts as paused as soon as the printer says that it stands still', async () => {
    await fail(bench, unanswered())
    app.advance(INTENT_MS + 1_000)
    bench.report('Paused', { paused: true })
    await eventually(async () => (await print(bench)).pausedAt ?? undefined)
    expect(await codes(bench)).toEqual(['failure_alerted', 'failure_found_paused'])
    expect(await audit(bench)).toEqual(['unanswered', 'found_paused'])
  })

  it('is closed when the print ends first', async () => {
    await fail(bench, unanswered())
    const { pauseId } = await print(bench)
    bench.agent.send({ current_print_ts: -1, status: { _ts: app.ctx.clock.now() / 1000 } })
    const { db } = app.ctx
    await eventually(async () =>
      (await findWatched(db, asId(bench.printerId)))?.printId === null ? true : undefined,
    )
    const { printerId, printId } = bench
    await followPause(app.ctx, { printerId: asId(printerId), printId: asId(printId), id: pauseId as string })
    expect(await print(bench)).toMatchObject({ pauseId: null, pausedAt: null })
    expect(await audit(bench)).toEqual(['unanswered', 'print_ended'])
  })
})

describe('a minute after a pause', () => {
  const minute = () => app.advance(61_000)
  const left = (bench: Bench) => {
    bench.agent.ws.terminate()
    return eventually(async () =>
      (await readSeen(app.ctx, asId(bench.printerId))).agent === null ? true : undefined,
    )
  }

  it('a printer that goes on printing did not pause', async () => {
    const bench = await aBench()
    await fail(bench)
    minute()
    await reported(bench)
    await follow(bench)
    expect(await codes(bench)).toEqual(['failure_paused', 'pause_unconfirmed'])
  })

  it('one that stood still, or said so, has paused, also when its agent is gone by then', async () => {
    const [stood, said] = [await aBench(), await aBench()]
    await fail(stood)
    await fail(said)
    stood.report('Paused', { paused: true })
    said.report('Pausing', { printing: true, pausing: true }, 'PrintPaused')
    for (const bench of [stood, said]) {
      await eventually(async () => (await print(bench)).pauseSeenAt ?? undefined)
      await left(bench)
    }
    minute()
    for (const bench of [stood, said]) {
      await follow(bench)
      expect(await codes(bench)).toEqual(['failure_paused'])
    }
  })

  it('one whose agent has gone without a word is told as that', async () => {
    const bench = await aBench()
    await fail(bench)
    await left(bench)
    minute()
    await follow(bench)
    expect(await codes(bench)).toEqual(['failure_paused', 'pause_agent_lost'])
  })

  it('one that is about to pause has some more time', async () => {
    const bench = await aBench()
    await fail(bench)
    minute()
    bench.report('Pausing', { printing: true, pausing: true })
    await reported(bench)
    await follow(bench)
    expect(await codes(bench)).toEqual(['failure_paused'])
    app.advance(180_000)
    await reported(bench)
    await follow(bench)
    expect(await codes(bench)).toEqual(['failure_paused', 'pause_unconfirmed'])
  })

  it('nothing more is said to an owner who has answered', async () => {
    const bench = await aBench()
    await fail(bench)
    const alertAcknowledgedAt = new Date(app.ctx.clock.now() + 1_000)
    await app.ctx.db
      .updateTable('prints')
      .set({ alertAcknowledgedAt })
      .where('id', '=', asId(bench.printId))
      .execute()
    minute()
    await reported(bench)
    await follow(bench)
    expect(await codes(bench)).toEqual(['failure_paused'])
  })
})
