import type { CloudPrint } from '@vigil/contract/files/cloud-prints.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { isAtFirstLayer } from './cloud-prints.rules.ts'

let app: TestApp
let owner: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

interface Line {
  readonly t: number
  readonly note?: string
  readonly kind?: string
  readonly method?: string
  readonly body?: string
  readonly msg?: { status?: Record<string, unknown>; current_print_ts?: number }
}

/** What real agents did and said from the hand-over of a file to the end of its print. */
function captured(name: string): Line[] {
  const file = new URL(`../../../test/wire/captures/${name}.jsonl`, import.meta.url)
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const from = lines.findIndex(({ note }) => note?.startsWith('download + print'))
  const end = lines.findIndex((line, at) => at > from && JSON.stringify(line).includes('"PrintDone"'))
  return lines.slice(from + 1, end)
}

const CAPTURES = [
  {
    name: 'klipper-4-done-cancel',
    agent: 'moonraker_obico',
    version: '2.1.4',
    filename: 'lab ring.gcode',
    numBytes: 27_363,
    // Hot from 47 s on, and still waiting for the bed; the first layer by its number.
    firstLayerAt: 108.567,
  },
  {
    name: 'octoprint-1-prints',
    agent: 'octoprint_obico',
    version: '2.6.1',
    filename: 'octo ring.gcode',
    numBytes: 27_033,
    firstLayerAt: 55.847,
  },
]

it.each(CAPTURES)('$agent: the first layer is told from heating', ({ name, firstLayerAt }) => {
  const first = captured(name).find(({ msg }) => {
    const reading = statusOf(msg?.status ?? null)
    return reading !== null && isAtFirstLayer(reading)
  })
  expect(first?.t).toBe(firstLayerAt)
})

it.each([
  [2, 3, true],
  [1, 3, false],
  [null, 3, false],
  [null, 40, true],
])(
  'a print that heats nothing, at layer %s and %i percent, is past its first layer: %s',
  (layer, completion, isPast) => {
    const reading = statusOf({
      state: { text: 'Printing', flags: { printing: true } },
      temperatures: { tool0: { actual: 21, target: 0, offset: 0 } },
      progress: { completion },
      currentLayerHeight: layer,
    })
    expect(reading && isAtFirstLayer(reading)).toBe(isPast)
  },
)

it.each(CAPTURES)(
  '$agent: what it did and said when it was handed a file leads to its first layer',
  async ({ name, agent: agent_name, version, filename, numBytes, firstLayerAt }) => {
    const { id: printer, auth_token: token } = await aPrinter(app, owner, agent_name)
    const form = new FormData()
    form.set('filename', filename)
    form.set('file', new Blob([`G28 ${name}\n`.padEnd(numBytes, ';')]), 'x')
    const headers = { authorization: `Bearer ${owner.token}` }
    const sent = await fetch(`${app.url}/api/v1/g_code_files/`, { method: 'POST', headers, body: form })
    const { id: file } = (await sent.json()) as { id: number }
    const agent = await connectAgent(app, token)
    await agent.hear(({ remote_status }) => remote_status !== undefined)
    const flags = { operational: true, ready: true }
    agent.send({
      current_print_ts: -1,
      status: { _ts: Date.now() / 1000 - 36_000, state: { text: 'Operational', flags } },
      settings: { agent: { name: agent_name, version } },
    })
    await eventually(async () => {
      const { json } = await call(app, 'GET', `/api/v1/printers/${printer}/`, { token: owner.token })
      return json.status !== null && json.agent_version === version ? true : undefined
    })

    const asking = call(app, 'POST', '/api/v1/cloud_prints/', {
      token: owner.token,
      body: { printer, g_code_file: file },
    })
    const { passthru } = (await agent.hear((told) => told.passthru !== undefined)) as { passthru: any }
    // As the captured server asked them.
    const { ref, ...order } = passthru
    expect(order).toEqual({
      target: 'file_downloader',
      func: 'download',
      args: [{ id: file, url: expect.any(String), filename, safe_filename: filename.replace(' ', '_') }],
    })
    agent.send({ passthru: { ref, ret: { target_path: filename } } })
    const { json: begun } = await asking
    const reach = async (...states: string[]) => {
      let one: CloudPrint | undefined
      return await eventually(
        async () => {
          one = (await call(app, 'GET', `/api/v1/cloud_prints/${begun.id}/`, { token: owner.token })).json
          return one && states.includes(one.state) ? one : undefined
        },
        60_000,
        () => JSON.stringify(one),
      )
    }
    const downloaded = await fetch(passthru.args[0].url)
    expect((await downloaded.arrayBuffer()).byteLength).toBe(numBytes)
    await reach('storing')

    const shift = Math.trunc(Date.now() / 1000) - 1_795_260_000 // later than any captured moment
    for (const { t, kind, method, body, msg } of captured(name)) {
      if (kind === 'http' && method && body !== undefined && /agent_signature/.test(body)) {
        const path = method === 'PATCH' ? `${file}/` : ''
        const answer = await fetch(`${app.url}/api/v1/octo/g_code_files/${path}`, {
          method,
          headers: { authorization: `Token ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
          body,
        })
        // Known by its signature: no second record.
        expect([answer.status, ((await answer.json()) as { id: number }).id]).toEqual([200, file])
      }
      if (kind !== 'json' || msg?.status === undefined) continue
      const text = JSON.stringify(msg).replaceAll(
        /"obico_g_code_file_id":\d+/g,
        `"obico_g_code_file_id":${file}`,
      )
      const message = JSON.parse(text) as Required<NonNullable<Line['msg']>>
      message.status['_ts'] = Number(message.status['_ts']) + shift
      if (message.current_print_ts > 0) message.current_print_ts += shift
      if (t === firstLayerAt) expect((await reach('starting', 'printing')).state).toBe('starting')
      agent.send(message)
      if (t === firstLayerAt) break
    }
    const done = await reach('printing', 'failed')
    expect(done).toMatchObject({ state: 'printing', print: expect.any(Number), bytes_sent: numBytes })
    agent.close()
  },
)
