import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../app.ts'
import { eventually } from './agent.ts'
import { replay, type Replayed } from './replay.ts'

let app: TestApp
let owner: TestUser
let last: Replayed | null = null

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())
afterEach(() => last?.agent.ws.terminate())

const play = async (name: string, isLinked = true): Promise<Replayed> =>
  (last = await replay(app, name, { owner, printer: isLinked ? await aPrinter(app, owner, 'Lab') : null }))

const prints = async ({ printerId }: Replayed) =>
  (
    await app.ctx.db
      .selectFrom('prints')
      .select(['extId', 'filename', 'finishedAt', 'cancelledAt', 'printTime', 'filamentUsed', 'gCodeFileId'])
      .where('printerId', '=', printerId)
      .orderBy('id')
      .execute()
  ).map(({ finishedAt, cancelledAt, gCodeFileId, ...print }) => ({
    ...print,
    end: cancelledAt ? 'cancelled' : finishedAt ? 'finished' : 'running',
    hasFile: gCodeFileId !== null,
  }))

const events = async ({ printerId }: Replayed) =>
  (
    await app.ctx.db
      .selectFrom('printerEvents')
      .selectAll()
      .where('printerId', '=', printerId)
      .orderBy('id')
      .execute()
  ).map(({ code, eventType, eventClass }) => `${eventType} ${eventClass} ${code ?? '-'}`)

const shown = async ({ printerId }: Replayed) =>
  (await call(app, 'GET', `/api/v1/printers/${printerId}/`, { token: owner.token })).json

const statusFrames = ({ frames }: Replayed) => frames.map(({ remote_status }) => remote_status).filter(Boolean)
const commandFrames = ({ frames }: Replayed) => frames.flatMap(({ commands }) => commands ?? [])

describe('moonraker-obico 2.1.4', () => {
  it('links, opens its socket and sends its first settings', async () => {
    const done = await play('klipper-1-linking', false)
    expect(done.surprises).toEqual([])
    const printer = await eventually(async () => {
      const json = await shown(done)
      return json.settings.webcams ? json : undefined
    })
    expect(printer).toMatchObject({
      agent_name: 'moonraker_obico',
      agent_version: '2.1.4',
      status: { state: { text: 'Operational' } },
      agent: { state: 'connected' },
      current_print: null,
    })
    expect(printer.settings.webcams.length).toBeGreaterThan(0)
    expect(statusFrames(done)).toEqual([{ viewing: false, should_watch: false }])
    expect(await events(done)).toEqual([])
  })

  it('loses Klipper in mid-print: offline, the print goes on', async () => {
    const done = await play('klipper-2-shutdown')
    expect(done.surprises).toEqual([])
    expect(await prints(done)).toEqual([
      { extId: 1795250087, filename: 'lab_ring.gcode', end: 'running', printTime: null, filamentUsed: null, hasFile: true },
    ])
    expect(await events(done)).toEqual(['STARTED INFO print_started', 'PRINTER_ERROR ERROR -'])
    expect(await shown(done)).toMatchObject({ status: null, current_print: { filename: 'lab_ring.gcode' } })
    expect(done.commands).toEqual([
      { cmd: 'pause', succeeded: true },
      { cmd: 'resume', succeeded: true },
      { cmd: 'cancel', succeeded: true },
    ])
    expect(commandFrames(done)).toEqual([
      { cmd: 'pause', args: { retract: 6.5, lift_z: 2.5, tools_off: true }, initiator: 'api' },
      { cmd: 'resume', args: {}, initiator: 'api' },
      { cmd: 'cancel', args: {}, initiator: 'api' },
    ])
    const row = await app.ctx.db
      .selectFrom('printerEvents')
      .selectAll()
      .where('printerId', '=', done.printerId)
      .where('eventType', '=', 'PRINTER_ERROR')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ eventTitle: 'Moonraker Error', eventText: "!! MCU 'mcu' shutdown: Timer too close" })
    expect(row.image).toMatchObject({ container: 'tsd-pics' })
    expect(row.printId).not.toBeNull()
  })

  it('pauses and resumes between layers, then is restarted: the print is lost', async () => {
    const done = await play('klipper-3-pause-resume')
    expect(done.surprises).toEqual([])
    expect(await prints(done)).toMatchObject([
      { extId: 1795250481, end: 'cancelled', printTime: 88.68394791599985, filamentUsed: 56.16, hasFile: true },
      { extId: 1795250697, end: 'running' },
    ])
    expect(await events(done)).toEqual([
      'STARTED INFO print_started',
      'PAUSED INFO print_paused',
      'RESUMED INFO print_resumed',
      'PRINTER_ERROR ERROR -',
      'ENDED WARNING print_lost',
      'STARTED INFO print_started',
    ])
  })

  it('prints to the end, then cancels while heating', async () => {
    const done = await play('klipper-4-done-cancel')
    expect(done.surprises).toEqual([])
    expect(await prints(done)).toEqual([
      { extId: 1795252443, filename: 'lab_ring.gcode', end: 'finished', printTime: 142.44904631099962, filamentUsed: 66.42, hasFile: true },
      { extId: 1795252593, filename: 'lab_ring.gcode', end: 'cancelled', printTime: 131.58590780300074, filamentUsed: 0, hasFile: true },
    ])
    expect(await events(done)).toEqual([
      'STARTED INFO print_started',
      'ENDED SUCCESS print_finished',
      'STARTED INFO print_started',
      'ENDED WARNING print_cancelled',
    ])
    expect(statusFrames(done)).toEqual([
      { viewing: false, should_watch: false },
      { should_watch: true },
      { should_watch: false },
      { should_watch: true },
      { should_watch: false },
    ])
    expect(done.commands.map(({ cmd, succeeded }) => `${cmd} ${succeeded}`)).toEqual(['pause true', 'resume true', 'cancel true'])
    // The same file, printed again with the same signature, is one record.
    const files = await app.ctx.db.selectFrom('prints').select('gCodeFileId').where('printerId', '=', done.printerId).execute()
    expect(new Set(files.map(({ gCodeFileId }) => gCodeFileId)).size).toBe(1)
  })
})

describe('OctoPrint-Obico 2.6.1', () => {
  it('links and prints four times: done, done, paused and resumed, cancelled', async () => {
    const done = await play('octoprint-1-prints', false)
    expect(done.surprises).toEqual([])
    const rows = await prints(done)
    expect(rows).toMatchObject([
      { extId: 1795251232, end: 'finished', printTime: 23, filamentUsed: null, hasFile: true },
      { extId: 1795251404, end: 'finished', printTime: 23, filamentUsed: 66.42, hasFile: true },
      { extId: 1795251472, end: 'finished', printTime: 15, filamentUsed: 66.42, hasFile: true },
      { extId: 1795251530, end: 'cancelled', printTime: 5, hasFile: true },
    ])
    // The agent reports the planned total for a print that was cancelled at 0.7 % (docs/rules/prints.md 2).
    expect(rows[3]?.filamentUsed).toBeCloseTo(0.4742, 3)
    expect(await events(done)).toEqual([
      'STARTED INFO print_started',
      'ENDED SUCCESS print_finished',
      'STARTED INFO print_started',
      'ENDED SUCCESS print_finished',
      'STARTED INFO print_started',
      'PAUSED INFO print_paused',
      'RESUMED INFO print_resumed',
      'ENDED SUCCESS print_finished',
      'STARTED INFO print_started',
      'ENDED WARNING print_cancelled',
    ])
    // Commands outside a print are refused and say so; within one they are sent.
    expect(done.commands.map(({ cmd, succeeded }) => `${cmd} ${succeeded}`)).toEqual([
      'pause false',
      'resume false',
      'cancel false',
      'pause true',
      'resume true',
      'cancel true',
    ])
    const printer = await shown(done)
    expect(printer).toMatchObject({ agent_name: 'octoprint_obico', agent_version: '2.6.1', status: { state: { text: 'Operational' } } })
    expect(JSON.parse(printer.settings.printer_metadata)).toBeTypeOf('object')
    const trackers = await app.ctx.db.selectFrom('heaterTrackers').selectAll().where('printerId', '=', done.printerId).execute()
    expect(trackers.map(({ name }) => name).sort()).toEqual(['bed', 'tool0'])
  })
})
