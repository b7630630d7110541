import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { type FlavourName, type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { openBrowser, type WireBrowser } from '../../../test/wire/browser.ts'

let app: TestApp
let owner: TestUser
const machines: SimulatedPrinter[] = []
const pages: WireBrowser[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterEach(async () => {
  for (const { ws } of pages.splice(0)) ws.close()
  await Promise.all(machines.splice(0).map((machine) => machine.stop()))
})
afterAll(() => app.close())

const PATH = 'sub/small.gcode'

async function start(flavour: FlavourName) {
  const { id, auth_token: token } = await aPrinter(app, owner, flavour)
  const machine = startSimulatedPrinter({
    server: app.url,
    token,
    flavour,
    speed: 400,
    timeScale: 20,
    statusEverySeconds: 0.5,
    withoutPictures: true,
    files: [{ path: PATH, text: vaseGcode({ layers: 4, nozzle: 40, bed: 30 }) }],
  })
  machines.push(machine)
  await machine.ready
  const page = await openBrowser(app, `/ws/web/${id}/`, owner.cookie)
  pages.push(page)
  await page.hear(({ status }) => status?.state?.text === 'Operational')
  return { id, machine, page }
}

const lastPrint = (id: number) =>
  eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/prints/?limit=1&filter_by_printer_ids=${id}`, {
      cookie: owner.cookie,
    })
    const [print] = json as Print[]
    return print?.ended_at ? print : undefined
  })

const answer = async (page: WireBrowser, ref: string, file: unknown) => {
  const asked = { ref, target: 'file_operations', func: 'start_printer_local_print', args: [file] }
  page.send({ passthru: asked })
  return (await page.hear(({ passthru }) => passthru?.ref === ref)).passthru
}

describe.each(['octoprint', 'klipper'] as const)('%s prints its last file once more', (flavour) => {
  it('by what the last print tells of it; not when the file is gone, and says so', async () => {
    const { id, machine, page } = await start(flavour)
    expect(machine.startPrint()).toBe(true)
    const first = await lastPrint(id)
    expect(first.g_code_file).toMatchObject({ url: PATH, resident_printer: id, deleted: null })
    expect(first.g_code_file?.agent_signature).toMatch(/^(md5|ts):/)

    // A print is named by the second it began in.
    const seconds = () => Math.floor(Date.now() / 1000)
    await eventually(() => seconds() > Date.parse(first.started_at ?? '') / 1000 || undefined)
    expect(await answer(page, `${flavour}-again`, first.g_code_file)).toMatchObject({ ret: 'Success' })
    const second = await eventually(async () => {
      const print = await lastPrint(id)
      return print.id === first.id ? undefined : print
    })
    expect(second.filename).toBe(first.filename)

    expect(machine.removeFile(PATH)).toBe(true)
    const { ret, error } = await answer(page, `${flavour}-gone`, first.g_code_file)
    expect(error ?? ret.error).toMatch(/modified.*moved?, delete/)
    expect(machine.state).toBe('operational')
  })
})
