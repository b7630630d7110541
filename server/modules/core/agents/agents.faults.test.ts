import { describe, expect, it } from 'vitest'
import { byServer } from '../access/index.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { sendCommand, sendMessage } from '../commands/index.ts'
import { agentLab } from './agents.fixture.ts'

const lab = agentLab()
const { codes, greeted, prints, record, shown, status } = lab

describe('a hurt server', () => {
  it('holds the agent while the database is away, and catches up without duplicates', async () => {
    const agent = await greeted()
    const restore = breakDatabase()
    agent.send({ current_print_ts: 1700000900, status: status({ n: 'away' }) })
    agent.send({ current_print_ts: 1700000900, status: status({}), event: { event_type: 'PrintPaused' } })
    agent.send({
      current_print_ts: 1700000900,
      status: status({ progress: { completion: 100, printTime: 70 } }),
      event: { event_type: 'PrintDone' },
    })
    agent.send({ current_print_ts: -1, status: status({ n: 'done' }, false) })
    await eventually(async () => ((await shown())?.n === 'done' ? true : undefined))
    restore()
    await eventually(async () => ((await codes()).length === 3 ? true : undefined))
    expect(await codes()).toEqual(['print_started', 'print_paused', 'print_finished'])
    expect(await prints()).toHaveLength(1)
    expect(agent.closed).toBeNull()
  })

  it('keeps every event while the database is away, however large the statuses between them', async () => {
    const agent = await greeted()
    const restore = breakDatabase()
    const ts = 1700000950
    agent.send({ current_print_ts: ts, status: status({ n: 'large' }) })
    for (const name of ['PrintPaused', 'PrintResumed', 'PrintPaused']) {
      for (let i = 0; i < 30; i++)
        agent.send({ current_print_ts: ts, status: status({ filler: 'x'.repeat(200_000), i }) })
      agent.send({ current_print_ts: ts, status: status({}), event: { event_type: name } })
    }
    agent.send({ current_print_ts: ts, status: status({ n: 'last' }) })
    await eventually(async () => ((await shown())?.n === 'last' ? true : undefined))
    restore()
    await eventually(async () => ((await codes()).length >= 4 ? true : undefined))
    expect(await codes()).toEqual(['print_started', 'print_paused', 'print_resumed', 'print_paused'])
    expect(agent.closed).toBeNull()
  })

  it('cuts a socket that takes nothing any more, and sends it no command meanwhile', async () => {
    const agent = await greeted()
    await eventually(record)
    ;(agent.ws as unknown as { _socket: { pause(): void } })._socket.pause()
    const message = sendMessage(lab.app.ctx, lab.printer.id, { filler: 'x'.repeat(12_000_000) })
    const { clients } = lab.app.server.app.websocketServer
    await eventually(() => [...clients].some((ws) => ws.bufferedAmount > 1_000_000) || undefined)
    const { sent } = await sendCommand(lab.app.ctx, {
      printer: byServer(lab.printer.id),
      printId: null,
      cmd: 'cancel',
      args: {},
      initiator: 'system',
      userId: null,
    })
    expect(sent).toBe(false)
    expect(await message).toEqual({ sent: false, reason: 'unanswered' })
    await eventually(async () => ((await record()) === null ? true : undefined))
  })
})

/** Every connection fails until the returned function is called. */
function breakDatabase(): () => void {
  const executor = lab.app.ctx.db.getExecutor() as unknown as { provideConnection: unknown }
  const before = executor.provideConnection
  executor.provideConnection = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  return () => void (executor.provideConnection = before)
}
