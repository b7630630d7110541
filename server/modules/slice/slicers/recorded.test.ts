import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { createAccessToken } from '../../people/accounts/index.ts'

/**
 * Requests as the programs send them: PrusaSlicer 2.5.0 as Debian has it, recorded while it uploaded through its window (its G-code
 * is shortened); what Cura's plugin asks, sent by the Qt 5.15 that it asks with; OrcaSlicer's, as its public sources have
 * it, sent by libcurl as it does.
 */
const RECORDED = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as Record<
  'PrusaSlicer' | 'Cura' | 'OrcaSlicer',
  { request: string; headers: [string, string][]; body: string }[]
>

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** Sends the bytes on a connection of their own. */
async function replay(program: keyof typeof RECORDED, key: string) {
  const { host, hostname, port } = new URL(app.url)
  const answers: Record<string, unknown> = {}
  for (const { request, headers, body } of RECORDED[program]) {
    const length = Buffer.byteLength(body)
    const lines = [
      `${request} HTTP/1.1`,
      `Host: ${host}`,
      ...headers
        .filter(([name]) => !/^(connection|accept-encoding)$/i.test(name))
        .map(([name, value]) => `${name}: ${value.replace('KEY', key)}`),
      ...(length > 0 ? [`Content-Length: ${length}`] : []),
      'Connection: close',
    ]
    const socket = connect(Number(port), hostname)
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    const said = (await buffer(socket)).toString()
    const [head = '', ...rest] = said.split('\r\n\r\n')
    const type = /^content-type: (.*)$/im.exec(head)?.[1]
    const text = rest.join('\r\n\r\n')
    answers[request] = [Number(head.split(' ')[1]), type?.includes('json') ? JSON.parse(text) : text]
  }
  return answers
}

async function aDesk(name: string) {
  const who = await aUser(app)
  const { id } = await aPrinter(app, who, name)
  const body = { name: 'Desk', printer_id: id }
  const { key } = (await call(app, 'POST', '/api/v1/api_keys/', { cookie: who.cookie, body })).json
  const files = async () => {
    const { json } = await call(app, 'GET', '/api/v1/g_code_files/', { cookie: who.cookie })
    return json.results.map((file: any) => [
      file.filename,
      file.parent_folder?.name ?? null,
      JSON.parse(file.metadata_json).slicer,
    ])
  }
  return { who, id, key: key as string, files }
}

const OFF = [422, 'Stored in your files, but not printed: It is powered off.']

it('PrusaSlicer uploads and would print', async () => {
  const { key, files } = await aDesk('Ender')
  expect(await replay('PrusaSlicer', key)).toEqual({
    'GET /api/version': [200, { api: '0.1', server: expect.any(String), text: 'OctoPrint API of Vigil' }],
    'POST /api/files/local': OFF,
  })
  expect(await files()).toEqual([['cube.gcode', 'benches', 'PrusaSlicer']])
})

it('Cura connects, uploads and would print', async () => {
  const { key, files } = await aDesk('Ender')
  expect(await replay('Cura', key)).toEqual({
    'GET /api/printer': [409, 'The printer is not ready to print.'],
    'GET /api/job': [
      200,
      {
        state: 'Offline',
        job: { file: { name: null } },
        progress: { completion: null, printTime: null, printTimeLeft: null },
      },
    ],
    'GET /api/settings': [
      200,
      {
        api: { enabled: true },
        feature: { sdSupport: false },
        webcam: { webcamEnabled: false },
        plugins: {},
      },
    ],
    'GET /api/version': [200, { api: '0.1', server: expect.any(String), text: 'OctoPrint API of Vigil' }],
    'POST /api/login': [200, { name: 'Vigil', active: true, user: true, admin: false }],
    'GET /api/printerprofiles': [
      200,
      { profiles: { _default: { id: '_default', name: 'Ender', model: '', current: true } } },
    ],
    'POST /api/files/local': OFF,
  })
  expect(await files()).toEqual([['CE3_cube.gcode', 'benches', 'Cura']])
})

it('OrcaSlicer tests, lists and uploads', async () => {
  const { who, id, files } = await aDesk('Ender')
  const token = await createAccessToken(app.ctx, {
    userId: who.id,
    application: 'OrcaSlicer',
    scope: 'slicer',
  })
  expect(await replay('OrcaSlicer', token)).toEqual({
    'GET /api/v1/version/': [200, { version: '1.0.0' }],
    'GET /api/v1/printers/': [200, [{ id, name: 'Ender' }]],
    'POST /api/v1/g_code_files/': [
      201,
      {
        id: expect.any(Number),
        resident_printer: null,
        deleted: null,
        deleted_by_cascade: false,
        filename: 'plate_1.gcode',
        safe_filename: 'plate_1.gcode',
        parent_folder: null,
        url: expect.stringContaining('/media/tsd-gcodes/'),
        num_bytes: 18,
        agent_signature: null,
        metadata_json: expect.any(String),
        filament_total: 1,
        estimated_time: null,
        thumbnail1_url: null,
        thumbnail2_url: null,
        thumbnail3_url: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ],
  })
  expect(await files()).toEqual([['plate_1.gcode', null, 'unknown']])
})
