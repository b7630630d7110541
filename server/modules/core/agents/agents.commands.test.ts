import { describe, expect, it } from 'vitest'
import { byServer } from '../access/index.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { addViewer, sendCommand } from '../commands/index.ts'
import { keys, topics } from '../presence/names.ts'
import { agentLab } from './agents.fixture.ts'
import { asId } from '../../../test/ids.ts'

const lab = agentLab()
const { connect, greeted, prints, record, status } = lab

describe('commands', () => {
  const command = (change: Partial<Parameters<typeof sendCommand>[1]> = {}) =>
    sendCommand(lab.app.ctx, {
      printer: byServer(lab.printer.id),
      printId: null,
      cmd: 'pause',
      args: { retract: 6.5 },
      initiator: 'web',
      userId: lab.owner.id,
      ...change,
    })
  const outcomes = async () =>
    (
      await lab.app.ctx.db
        .selectFrom('audit')
        .selectAll()
        .where('printerId', '=', lab.printer.id)
        .orderBy('id')
        .execute()
    ).map(({ outcome }) => outcome)

  it('reach a live agent, and only for the print they are meant for', async () => {
    expect(await command()).toEqual({ sent: false, reason: 'offline' })
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000700, status: status() })
    const print = await eventually(async () => (await prints())[0])
    await agent.hear((message) => message.remote_status?.should_watch === true)
    expect(await command({ printId: print.id })).toMatchObject({ sent: true })
    expect(await agent.hear((message) => 'commands' in message)).toEqual({
      type: 'printer.message',
      commands: [{ cmd: 'pause', args: { retract: 6.5 }, initiator: 'web' }],
    })
    expect(await command({ printId: asId(print.id + 1) })).toEqual({ sent: false, reason: 'other_print' })
    expect(await command({ expiresInMs: -1 })).toEqual({ sent: false, reason: 'expired' })
    expect(await outcomes()).toEqual(['offline', 'sent', 'other_print', 'expired'])
  })

  it('are not sent to an agent not heard from for 30 s, nor kept for it', async () => {
    const agent = await connect({ autoPong: false })
    await agent.hear(() => true)
    await eventually(record)
    lab.app.advance(31_000)
    expect(await command()).toEqual({ sent: false, reason: 'not_responding' })
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await eventually(async () => (await command({ cmd: 'resume' })).sent || undefined)
    await agent.hear(({ commands }) => commands?.[0]?.cmd === 'resume')
    expect(agent.heard.flatMap(({ commands }) => commands ?? []).map(({ cmd }) => cmd)).toEqual(['resume'])
  })

  it('of a stale holder are refused', async () => {
    await greeted()
    const before = await eventually(record)
    await lab.app.ctx.live.claim(keys.socket(lab.printer.id), 'somebody else', 60_000)
    expect(await command()).toEqual({ sent: false, reason: 'stale_holder' })
    await lab.app.ctx.live.put(
      keys.agent(lab.printer.id),
      JSON.stringify({ ...before, epoch: before.epoch + 1 }),
      60_000,
    )
    expect(await command()).toEqual({ sent: false, reason: 'unanswered' })
  })
})

describe('viewers', () => {
  it('make the agent look: each comer, and the last one’s leaving', async () => {
    const agent = await greeted()
    const views = () => agent.heard.flatMap((message) => message.remote_status?.viewing ?? [])
    await eventually(record)
    const first = await addViewer(lab.app.ctx, lab.printer.id)
    await eventually(() => (views().length === 2 ? true : undefined))
    const second = await addViewer(lab.app.ctx, lab.printer.id)
    await eventually(() => (views().length === 3 ? true : undefined))
    first()
    second()
    await eventually(() => (views().length === 4 ? true : undefined))
    expect(views()).toEqual([false, true, true, false])
  })

  it('that were there first are told to an agent that comes', async () => {
    const leave = await addViewer(lab.app.ctx, lab.printer.id)
    const agent = await connect()
    expect(await agent.hear(() => true)).toMatchObject({ remote_status: { viewing: true } })
    leave()
  })

  it('see passthru items and events of the printer', async () => {
    const seen: string[] = []
    const stop = await lab.app.ctx.live.subscribe(topics.passthru(lab.printer.id), (message) =>
      seen.push(message.toString()),
    )
    const agent = await greeted()
    agent.send({ passthru: { terminal_feed: { msg: 'T:20', _ts: 1 } }, status: { injected: true } })
    agent.send({ current_print_ts: 1700000800, status: status() })
    await eventually(() => (seen.length === 2 ? true : undefined))
    expect(JSON.parse(seen[0] ?? '')).toEqual({ passthru: { terminal_feed: { msg: 'T:20', _ts: 1 } } })
    expect(JSON.parse(seen[1] ?? '')).toMatchObject({
      passthru: {
        printer_event: {
          event_title: 'Print job started',
          event_text: 'Ender started printing ring.gcode.',
          event_class: 'INFO',
          event_type: 'STARTED',
        },
      },
    })
    stop()
  })
})
