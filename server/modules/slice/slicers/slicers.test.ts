import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { createAccessToken } from '../../people/accounts/index.ts'
import { eventually } from '../../../test/wire/agent.ts'

let app: TestApp
let owner: TestUser
beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true' } })
  owner = await aUser(app)
})
afterAll(() => app.close())

const GCODE = 'G28\nG1 X10 Y10 E1\n'
async function aKey(who = owner, printerId: number | null = null): Promise<string> {
  const body = { name: 'Slicer', printer_id: printerId }
  return (await call(app, 'POST', '/api/v1/api_keys/', { cookie: who.cookie, body })).json.key
}
const ask = (path: string, key: string) => call(app, 'GET', path, { headers: { 'x-api-key': key } })

async function bring(
  key: string,
  fields: Record<string, string>,
  name = 'cube.gcode',
  content: string | Uint8Array<ArrayBuffer> = GCODE,
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([content]), name)
  const answer = await fetch(`${app.url}/api/files/local`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: answer.ok ? JSON.parse(text) : null }
}
const stored = async (who = owner) =>
  (await call(app, 'GET', '/api/v1/g_code_files/?page_size=100', { cookie: who.cookie })).json.results as {
    filename: string
    parent_folder: { name: string } | null
  }[]

describe('what slicers look at', () => {
  it('is answered without a redirect, which Cura would not follow', async () => {
    const key = await aKey()
    for (const path of ['/api/version', '/api/version/']) {
      const answer = await ask(path, key)
      expect([answer.status, answer.json]).toEqual([
        200,
        { api: '0.1', server: expect.any(String), text: expect.stringMatching(/^OctoPrint/) },
      ])
    }
    expect((await ask('/api/settings', key)).json).toEqual({
      api: { enabled: true },
      feature: { sdSupport: false },
      webcam: { webcamEnabled: false },
      plugins: {},
    })
    expect(
      (await call(app, 'POST', '/api/login', { headers: { 'x-api-key': key }, body: { passive: true } }))
        .json,
    ).toEqual({
      name: 'Vigil',
      active: true,
      user: true,
      admin: false,
    })
  })

  it('is refused in plain words, which the programs show', async () => {
    for (const path of ['/api/version', '/api/settings', '/api/files/local']) {
      const answer = await call(app, path.endsWith('local') ? 'POST' : 'GET', path, {
        headers: { 'x-api-key': 'wrong' },
      })
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
        403,
        'text/plain',
        'Authentication credentials are invalid.',
      ])
    }
  })

  it('tells how the printer of the key stands', async () => {
    const who = await aUser(app)
    const { id } = await aPrinter(app, who, 'Ender')
    const key = await aKey(who, id)
    expect((await ask('/api/printerprofiles', key)).json.profiles._default.name).toBe('Ender')
    const off = await ask('/api/printer', key)
    expect([off.status, off.text]).toEqual([409, 'The printer is not ready to print.'])
    expect((await ask('/api/job', key)).json.state).toBe('Offline')
    await app.ctx.live.put(
      `printer:${id}:status`,
      JSON.stringify({
        state: { text: 'Printing', flags: { operational: true, printing: true } },
        job: { file: { name: 'cube.gcode' } },
        progress: { completion: 12.5, printTime: 60, printTimeLeft: 420 },
        temperatures: { tool0: { actual: 210, target: 215, offset: 0 }, 'heater_generic x': { actual: 1 } },
      }),
      60_000,
    )
    expect((await ask('/api/printer', key)).json).toEqual({
      state: {
        text: 'Printing',
        flags: {
          operational: true,
          printing: true,
          pausing: false,
          paused: false,
          cancelling: false,
          ready: false,
          error: false,
          closedOrError: false,
          sdReady: false,
        },
      },
      temperature: { tool0: { actual: 210, target: 215, offset: 0 } },
    })
    expect((await ask('/api/job', key)).json).toEqual({
      state: 'Printing',
      job: { file: { name: 'cube.gcode' } },
      progress: { completion: 12.5, printTime: 60, printTimeLeft: 420 },
    })
  })
})

describe('a file that a slicer brings', () => {
  it('is stored, in the folder that it names', async () => {
    const key = await aKey()
    const brought = await bring(
      key,
      { print: 'false', path: 'benches/../Kleine Würfel' },
      'Würfel 20 & mehr.gcode',
    )
    expect([brought.status, brought.json]).toEqual([
      201,
      {
        done: true,
        effectivePrint: false,
        effectiveSelect: false,
        files: {
          local: {
            name: 'Würfel 20 & mehr.gcode',
            path: 'benches/Kleine Würfel/Würfel 20 & mehr.gcode',
            type: 'machinecode',
            origin: 'local',
            refs: { resource: brought.headers.get('location') },
          },
        },
      },
    ])
    expect(brought.headers.get('location')).toBe(
      `${app.url}/api/files/local/benches/Kleine%20W%C3%BCrfel/W%C3%BCrfel%2020%20%26%20mehr.gcode`,
    )
    await bring(key, { path: 'benches\\Kleine Würfel' }, 'b.gcode')
    const files = await stored()
    expect(files.map(({ filename, parent_folder: parent }) => [filename, parent?.name])).toEqual([
      ['b.gcode', 'Kleine Würfel'],
      ['Würfel 20 & mehr.gcode', 'Kleine Würfel'],
    ])
    expect((await call(app, 'GET', '/api/v1/g_code_folders/', { cookie: owner.cookie })).json.count).toBe(2)
  })

  it('is refused in plain words when it is no G-code or too large, and leaves nothing', async () => {
    const key = await aKey()
    const before = (await stored()).length
    const model = await bring(key, {}, 'cube.stl')
    expect([model.status, model.headers.get('content-type')]).toEqual([400, 'text/plain'])
    expect(model.text).toBe('Only .g, .gcode and .gco files are allowed.')
    expect((await bring(key, {}, 'a.gcode', new Uint8Array([0, 1, 2]))).status).toBe(400)
    const huge = await fetch(`${app.url}/api/files/local`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '0' },
      body: '',
    })
    expect([huge.status, huge.headers.get('content-type')]).toEqual([400, 'text/plain'])
    expect((await stored()).length).toBe(before)
  })

  it('is printed at once on the printer of the key, and on no other; busy, it is only stored', async () => {
    const who = await aUser(app)
    const [{ id, auth_token: token }, other] = [
      await aPrinter(app, who, 'One'),
      await aPrinter(app, who, 'Two'),
    ]
    const machine = startSimulatedPrinter({
      server: app.url,
      token,
      flavour: 'octoprint',
      speed: 20,
      timeScale: 20,
      statusEverySeconds: 0.5,
      withoutPictures: true,
    })
    try {
      await machine.ready
      const key = await aKey(who, id)
      await eventually(
        async () => ((await ask('/api/printer', key)).status === 200 ? true : undefined),
        60_000,
      )
      const vase = vaseGcode({ layers: 400, nozzle: 40, bed: 30 })
      const brought = await bring(key, { print: 'true', path: '' }, 'vase.gcode', vase)
      expect([brought.status, brought.json?.effectivePrint]).toEqual([201, true])
      await eventually(
        async () => ((await ask('/api/job', key)).json.state === 'Printing' ? true : undefined),
        60_000,
      )
      const again = await bring(key, { select: 'true', print: 'true' }, 'another.gcode', vase)
      expect([again.status, again.text]).toEqual([422, 'Stored in your files, but not printed: It is busy.'])
      expect((await stored(who)).map(({ filename }) => filename)).toEqual(['another.gcode', 'vase.gcode'])
      const rows = await app.ctx.db
        .selectFrom('cloudPrints')
        .select('printerId')
        .where('userId', '=', who.id)
        .execute()
      expect(rows).toEqual([{ printerId: id }])
      // A program that was let in on the page stores files, and starts nothing.
      const token = await createAccessToken(app.ctx, {
        userId: who.id,
        application: 'OrcaSlicer',
        scope: 'slicer',
      })
      const bySlicer = await bring(token, { print: 'true' }, 'third.gcode', vase)
      expect([bySlicer.status, bySlicer.text]).toEqual([
        422,
        'Stored in your files, but not printed: This app may not start prints. Use an API key.',
      ])
      const off = await bring(await aKey(who, other.id), { print: 'true' }, 'fourth.gcode', vase)
      expect(off.text).toMatch(/^Stored in your files, but not printed: It is /)
    } finally {
      await machine.stop()
    }
  })

  it('is kept and said not to be printed where it is not clear on which printer, or that may not be', async () => {
    const who = await aUser(app)
    const key = await aKey(who)
    const said = async (one: string) => {
      const { status, text, headers } = await bring(one, { print: 'true' })
      return [status, headers.get('content-type'), text]
    }
    const refused = (why: string) => [422, 'text/plain', `Stored in your files, but not printed: ${why}`]
    expect(await said(key)).toEqual(refused('You have no printer yet.'))
    const { id } = await aPrinter(app, who, 'One')
    const bound = await aKey(who, id)
    await aPrinter(app, who, 'Two')
    expect(await said(key)).toEqual(refused('This key names no printer. Make one that does.'))
    await call(app, 'POST', `/api/v1/printers/${id}/archive/`, { cookie: who.cookie })
    // Never on the one that is left: the key is for another.
    expect(await said(bound)).toEqual(refused('The printer of this key is archived or deleted.'))
    expect(await stored(who)).toHaveLength(3)
  })
})
