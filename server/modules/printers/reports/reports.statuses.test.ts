import { describe, expect, it } from 'vitest'
import { call } from '../../../test/app.ts'
import { countQueries } from '../../../test/queries.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { agentLab } from '../../core/agents/agents.fixture.ts'

const lab = agentLab()
const { codes, greeted, prints, seconds, shown, status } = lab

describe('statuses', () => {
  it('run no SQL when nothing has changed', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000000, status: status() })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    await eventually(async () =>
      (
        await lab.app.ctx.db
          .selectFrom('heaterTrackers')
          .selectAll()
          .where('printerId', '=', lab.printer.id)
          .execute()
      ).length === 1
        ? true
        : undefined,
    )
    const queries = await countQueries(lab.app, async () => {
      for (let i = 0; i < 50; i++) {
        agent.send({
          current_print_ts: 1700000000,
          status: status({ progress: { completion: 10 + i, printTime: i } }),
        })
        agent.send({ passthru: { terminal_feed: { msg: 'T:200' } } })
      }
      await eventually(async () => ((await shown())?.progress.printTime === 49 ? true : undefined))
    })
    expect(queries).toEqual([])
  })

  it('never freeze a printer whose clock was a day ahead', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: -1, status: status({ _ts: seconds() + 86_400, n: 1 }, false) })
    await eventually(async () => ((await shown())?.n === 1 ? true : undefined))
    expect((await shown())._ts).toBeLessThan(seconds() + 1)
    lab.app.advance(1_000)
    agent.send({ current_print_ts: -1, status: status({ n: 2 }, false) })
    await eventually(async () => ((await shown())?.n === 2 ? true : undefined))
  })

  it('that come in a stale burst are not shown, but their events count', async () => {
    const agent = await greeted()
    const ts = 1700000100
    agent.send({ current_print_ts: ts, status: status({ n: 'fresh' }) })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    const past = seconds() - 600
    for (let i = 0; i < 50; i++) {
      const event = i === 40 ? { event: { event_type: 'PrintPaused' } } : {}
      agent.send({ current_print_ts: i < 5 ? -1 : ts, status: status({ _ts: past + i, n: i }), ...event })
    }
    await eventually(async () => ((await codes()).includes('print_paused') ? true : undefined))
    expect((await shown()).n).toBe('fresh')
    const [print] = await prints()
    expect(print?.cancelledAt).toBeNull()
  })

  it('empty ones mean offline, and cost nothing when repeated', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000200, status: status() })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    await eventually(shown)
    const queries = await countQueries(lab.app, async () => {
      for (let i = 0; i < 100; i++) agent.send({})
      await eventually(async () => ((await shown()) === null ? true : undefined))
    })
    // when its agent was seen is written down now and then, whatever it says
    expect(queries.filter((query) => !query.includes('agent_seen_at'))).toEqual([])
    const { json } = await call(lab.app, 'GET', `/api/v1/printers/${lab.printer.id}/`, {
      token: lab.owner.token,
    })
    expect(json).toMatchObject({ status: null, current_print: { ended_at: null } })
  })
})

describe('settings', () => {
  it('are merged: null webcams never wipe, an old agent is known', async () => {
    const agent = await greeted()
    const webcams = [
      {
        name: '',
        is_primary_camera: true,
        stream_mode: 'mjpeg_webrtc',
        stream_id: 2,
        flipV: false,
        flipH: true,
        rotation: 90,
        streamRatio: '4:3',
      },
    ]
    agent.send({
      settings: {
        webcams,
        data_channel_id: 389,
        agent: { name: 'moonraker_obico', version: '2.1.4' },
        temperature: { profiles: [] },
      },
    })
    agent.send({
      settings: {
        webcams: null,
        data_channel_id: null,
        agent: { name: 'moonraker_obico', version: '2.1.4' },
        installed_plugins: ['mainsail'],
      },
    })
    agent.send({})
    const read = async () =>
      (await call(lab.app, 'GET', `/api/v1/printers/${lab.printer.id}/`, { token: lab.owner.token })).json
    const shownPrinter = await eventually(async () => {
      const json = await read()
      return json.settings.installed_plugins ? json : undefined
    })
    expect(shownPrinter).toMatchObject({
      agent_name: 'moonraker_obico',
      agent_version: '2.1.4',
      settings: { webcams, data_channel_id: '389', webcam_flipH: true, webcam_rotation: 90, ratio169: false },
    })
    agent.send({
      octoprint_settings: { webcam: { flipV: true, rotate90: true }, tsd_plugin_version: '1.5.0' },
      octoprint_data: status({}, false),
      current_print_ts: -1,
    })
    await eventually(async () => ((await read()).agent_name === 'octoprint_obico' ? true : undefined))
    expect((await read()).settings).toMatchObject({
      webcam_flipV: true,
      webcam_rotate90: true,
      webcam_streamRatio: '16:9',
    })
  })
})
