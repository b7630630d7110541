import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, type WireAgent } from '../../../test/wire/agent.ts'
import { keys } from '../presence/names.ts'

/** A server and an owner for a test file, and for each of its tests a printer whose agents are cut off afterwards. */
export function agentLab() {
  let app: TestApp
  let owner: TestUser
  let printer: Awaited<ReturnType<typeof aPrinter>>
  const agents: WireAgent[] = []

  beforeAll(async () => {
    app = await buildTestApp()
    owner = await aUser(app)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    printer = await aPrinter(app, owner)
  })
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.ws.terminate()
  })

  async function connect(options: { autoPong?: boolean } = {}): Promise<WireAgent> {
    const agent = await connectAgent(app, printer.auth_token, options)
    agents.push(agent)
    return agent
  }
  const live = async (key: string) => {
    const stored = await app.ctx.live.get(key)
    return stored && JSON.parse(stored.toString())
  }
  const events = () =>
    app.ctx.db
      .selectFrom('printerEvents')
      .selectAll()
      .where('printerId', '=', printer.id)
      .orderBy('id')
      .execute()
  const seconds = () => app.ctx.clock.now() / 1000

  return {
    get app() {
      return app
    },
    get owner() {
      return owner
    },
    /** The printer of this test. */
    get printer() {
      return printer
    },
    connect,
    /** A connected agent that has been greeted. */
    async greeted(): Promise<WireAgent> {
      const agent = await connect()
      await agent.hear((message) => 'remote_status' in message)
      return agent
    },
    seconds,
    /** A status as an agent reports it now. */
    status: (change: Record<string, unknown> = {}, printing = true) => ({
      _ts: seconds(),
      state: {
        text: printing ? 'Printing' : 'Operational',
        flags: { printing, paused: false },
        error: null,
      },
      job: { file: { name: 'ring.gcode', path: 'ring.gcode' } },
      progress: { completion: 10, printTime: 60, printTimeLeft: 600, filamentUsed: 12 },
      temperatures: {
        extruder: { actual: 150, target: 200, offset: 0 },
        mcu: { actual: 40, target: null, offset: 0 },
      },
      ...change,
    }),
    /** The status that browsers are shown; null when there is none. */
    shown: () => live(keys.status(printer.id)),
    /** What is known of the connected agent; null when there is none. */
    record: () => live(keys.agent(printer.id)),
    prints: () =>
      app.ctx.db.selectFrom('prints').selectAll().where('printerId', '=', printer.id).orderBy('id').execute(),
    events,
    codes: async () => (await events()).map(({ code }) => code),
  }
}
