import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { describe, expect, it } from 'vitest'
import { aUser, call } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { topics } from '../../core/presence/names.ts'
import { agentLab } from '../../core/agents/agents.fixture.ts'

const lab = agentLab()
const { codes, events, greeted, prints, status } = lab

describe('prints', () => {
  it('start from a plain status, and a cancel is one cancelled print', async () => {
    const agent = await greeted()
    const ts = 1700000300
    agent.send({ current_print_ts: ts, status: status() })
    expect(await agent.hear((message) => message.remote_status?.should_watch === true)).toEqual({
      remote_status: { should_watch: true },
      type: 'printer.message',
    })
    agent.send({
      current_print_ts: ts,
      status: status({ progress: { completion: 40, printTime: 100, filamentUsed: 50 } }),
      event: { event_type: 'PrintCancelled' },
    })
    agent.send({
      current_print_ts: ts,
      status: status({ progress: { completion: 0 } }),
      event: { event_type: 'PrintFailed' },
    })
    agent.send({ current_print_ts: ts, status: status() })
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await agent.hear(
      (message) =>
        message.remote_status?.should_watch === false && message.remote_status.viewing === undefined,
    )
    await eventually(async () => ((await codes()).length === 2 ? true : undefined))
    const [print, ...others] = await prints()
    expect(others).toEqual([])
    expect(print).toMatchObject({
      filename: 'ring.gcode',
      extId: ts,
      printTime: 100,
      filamentUsed: 50,
      finishedAt: null,
    })
    expect(print?.cancelledAt).not.toBeNull()
    expect(await codes()).toEqual(['print_started', 'print_cancelled'])
    const user = await lab.app.ctx.db
      .selectFrom('users')
      .select('unseenPrinterEvents')
      .where('id', '=', lab.owner.id)
      .executeTakeFirstOrThrow()
    expect(user.unseenPrinterEvents).toBeGreaterThanOrEqual(2)
  })

  it.each([
    { events: ['PrintCancelled', 'PrintFailed'], shown: 'INFO', who: 'somebody' },
    { events: ['PrintFailed'], shown: 'WARNING', who: 'the printer' },
  ])('that $who ended are told in browsers as $shown', async ({ events: told, shown }) => {
    const ends: unknown[] = []
    const stop = await lab.app.ctx.live.subscribe(topics.passthru(lab.printer.id), (message) => {
      const { passthru } = JSON.parse(message.toString()) as {
        passthru: { printer_event?: { event_type: string; event_class: string } }
      }
      if (passthru.printer_event?.event_type === 'ENDED') ends.push(passthru.printer_event.event_class)
    })
    const agent = await greeted()
    const ts = 1700000310
    agent.send({ current_print_ts: ts, status: status() })
    for (const event_type of told)
      agent.send({ current_print_ts: ts, status: status(), event: { event_type } })
    await eventually(() => (ends.length > 0 ? true : undefined))
    expect(ends).toEqual([shown])
    stop()
  })

  it('that vanish with their OctoPrint are lost, not finished', async () => {
    const agent = await greeted()
    agent.send({
      current_print_ts: 1700000400,
      status: status({ progress: { completion: 42, printTime: 500 } }),
    })
    agent.send({
      current_print_ts: -1,
      status: status({ job: { file: { name: null } }, progress: {} }, false),
    })
    const ended = await eventually(async () =>
      (await events()).find(({ eventType }) => eventType === 'ENDED'),
    )
    expect(ended).toMatchObject({
      code: 'print_lost',
      eventClass: 'WARNING',
      params: { progress: expect.stringMatching(/^42\W{1,3}%$/), seconds: 500, file: 'ring.gcode' },
    })
    expect((await prints())[0]).toMatchObject({ finishedAt: null, printTime: 500 })
  })

  it('get the key of one that is over, as Klipper’s agent gives it after a shutdown, and are watched all the same', async () => {
    const agent = await greeted()
    const ts = 1700000450
    const says = (more: object, printing = true) =>
      agent.send({ current_print_ts: ts, status: status({}, printing), ...more })
    const started = (count: number) =>
      eventually(async () =>
        (await codes()).filter((code) => code === 'print_started').length === count ? true : undefined,
      )
    const current = async () => {
      const { id } = lab.printer
      const { json } = await call(lab.app, 'GET', `/api/v1/printers/${id}/`, { cookie: lab.owner.cookie })
      return (json as { current_print: { id: number } | null }).current_print?.id ?? null
    }
    says({})
    await started(1)
    agent.send({ status: {} })
    says({ current_print_ts: -1 }, false)
    await eventually(async () => ((await current()) === null ? true : undefined))
    // Its event says that it is another, at once; its flags say nothing yet.
    says({ event: { event_type: 'PrintStarted', data: { name: 'ring.gcode' } } }, false)
    await started(2)
    const second = await eventually(async () => (await current()) ?? undefined)
    says({ event: { event_type: 'PrintDone', data: { name: 'ring.gcode' } } })
    await eventually(async () => ((await current()) === null ? true : undefined))
    // Without an event it may be late, but not for long.
    says({})
    lab.app.advance(31_000)
    says({})
    await started(3)
    const all = await prints()
    expect(all.map(({ extId }) => extId).toSorted()).toEqual([null, null, ts].toSorted())
    expect(all.filter(({ finishedAt, cancelledAt }) => finishedAt ?? cancelledAt)).toHaveLength(2)
    expect(all.find(({ id }) => id === second)?.finishedAt).not.toBeNull()
    expect((await prints()).find(({ extId }) => extId === ts)?.id).toBe(await current())
  })

  it('of a Klipper that shut down are told apart, though the next one has the key of the lost one', async () => {
    const machine = startSimulatedPrinter({
      server: lab.app.url,
      token: lab.printer.auth_token,
      speed: 100,
      timeScale: 20,
      statusEverySeconds: 0.5,
      withoutPictures: true,
      files: [{ path: 'ring.gcode', text: vaseGcode({ layers: 12, nozzle: 40, bed: 30 }) }],
    })
    const running = () => eventually(async () => (await prints()).find(isRunning))
    const isRunning = ({ finishedAt, cancelledAt }: Awaited<ReturnType<typeof prints>>[number]) =>
      (finishedAt ?? cancelledAt) === null
    try {
      await machine.ready
      await machine.waitFor(({ kind, message }) => kind === 'sent' && message['status'] !== undefined)
      machine.startPrint()
      const lost = await running()
      machine.setPower(false)
      const since = machine.events.length
      const saysNothing = ({ kind, message }: (typeof machine.events)[number]) =>
        kind === 'sent' && Object.keys(message).length === 0
      await eventually(() => machine.events.slice(since).some(saysNothing) || undefined)
      machine.setPower(true)
      await eventually(async () => ((await prints()).some(isRunning) ? undefined : true))
      const again = machine.events.length
      machine.startPrint()
      const next = await running()
      expect([next.id === lost.id, next.extId]).toEqual([false, lost.extId])
      const isWatched = ({ kind, message }: (typeof machine.events)[number]) =>
        kind === 'received' && JSON.stringify(message).includes('"should_watch":true')
      await eventually(() => machine.events.slice(again).some(isWatched) || undefined)
      await eventually(async () => ((await prints()).some(isRunning) ? undefined : true))
      const [first, second] = (await prints()).toSorted((a, b) => a.id - b.id)
      expect([first?.id, first?.extId, first?.finishedAt, first?.cancelledAt === null]).toEqual([
        lost.id,
        null,
        null,
        false,
      ])
      expect([second?.id, second?.finishedAt === null]).toEqual([next.id, false])
      expect((await codes()).toSorted()).toEqual([
        'print_finished',
        'print_lost',
        'print_started',
        'print_started',
      ])
    } finally {
      await machine.stop()
    }
  })

  it('take a file of their owner only', async () => {
    const agent = await greeted()
    const file = await call(lab.app, 'POST', '/api/v1/octo/g_code_files/', {
      agent: lab.printer.auth_token,
      body: {
        filename: 'a.gcode',
        safe_filename: 'a.gcode',
        num_bytes: 5,
        agent_signature: 'ts:1.5',
        url: 'x/a.gcode',
      },
    })
    const stranger = await aUser(lab.app)
    const foreign = await lab.app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: stranger.id, filename: 'b', safeFilename: 'b' })
      .returning('id')
      .executeTakeFirstOrThrow()
    agent.send({
      current_print_ts: 1700000500,
      status: status({ job: { file: { name: 'a.gcode', obico_g_code_file_id: foreign.id } } }),
    })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    expect((await prints())[0]?.gCodeFileId).toBeNull()
    agent.send({
      current_print_ts: 1700000500,
      status: status({ job: { file: { name: 'a.gcode', obico_g_code_file_id: file.json.id } } }),
    })
    await eventually(async () => ((await prints())[0]?.gCodeFileId === file.json.id ? true : undefined))
  })

  it('are listed for their owner alone', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000600, status: status() })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    const [row] = await prints()
    const list = await call(lab.app, 'GET', `/api/v1/prints/?filter_by_printer_ids[]=${lab.printer.id}`, {
      token: lab.owner.token,
    })
    expect(list.json).toMatchObject([
      { id: row?.id, filename: 'ring.gcode', ended_at: null, printer: { id: lab.printer.id } },
    ])
    const stranger = await aUser(lab.app)
    expect((await call(lab.app, 'GET', `/api/v1/prints/${row?.id}/`, { token: stranger.token })).status).toBe(
      404,
    )
    expect(
      (await call(lab.app, 'GET', `/api/v1/prints/${row?.id}/`, { token: lab.owner.token })).json.id,
    ).toBe(row?.id)
  })
})
