import { accountFrameOut, webFrameOut } from '@vigil/contract/sockets.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { openBrowser, type WireBrowser } from '../../../test/wire/browser.ts'
import { countQueries } from '../../../test/queries.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }
let agent: WireAgent
const pages: WireBrowser[] = []

const shown = async () =>
  (await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })).json
const report = (n: number, printing = true) =>
  agent.send({
    current_print_ts: 1_700_000_000,
    status: {
      _ts: Date.now() / 1000,
      n,
      state: { text: printing ? 'Printing' : 'Paused', flags: { printing, paused: !printing } },
      job: { file: { name: 'a.gcode', path: 'a.gcode' } },
    },
  })

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  agent = await connectAgent(app, printer.auth_token)
  report(0)
  await eventually(async () => ((await shown()).current_print ? true : undefined))
  const { id } = await app.ctx.db
    .insertInto('gCodeFiles')
    .values({ userId: owner.id, filename: 'Secret.gcode', safeFilename: 'secret.gcode' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.ctx.db
    .updateTable('prints')
    .set({ gCodeFileId: id })
    .where('printerId', '=', asId(printer.id))
    .execute()
})
afterAll(async () => {
  for (const { ws } of [...pages, agent]) ws.terminate()
  await app.close()
})

async function page(path: string): Promise<WireBrowser> {
  const one = await openBrowser(app, path, owner.cookie)
  pages.push(one)
  return one
}

/** The printer that `print.printer` names, without what the print leaves out. */
const isNamed = ({ current_print: { printer: named }, ...whole }: any) => {
  expect(named).toEqual(Object.fromEntries(Object.keys(named).map((key) => [key, whole[key]])))
}

describe('the print of a printer', () => {
  it('names the printer and the file alike by REST and on both sockets', async () => {
    const rest = await shown()
    isNamed(rest)
    expect(rest.current_print).toMatchObject({
      filename: 'a.gcode',
      printer: { id: printer.id, auth_token: printer.auth_token },
      g_code_file: { filename: 'Secret.gcode', resident_printer: null },
    })
    // PrinterBase only: nothing turns in a circle.
    expect(rest.current_print.printer).not.toHaveProperty('current_print')
    const one = await page(`/ws/web/${printer.id}/`)
    const told = await one.hear((frame) => frame['current_print'])
    expect(webFrameOut.safeParse(told).error).toBeUndefined()
    expect(told['current_print']).toEqual(rest.current_print)
    const all = await page('/ws/web/all/')
    all.send({ watch: [printer.id] })
    const frame = await all.hear(({ printers }) => printers)
    expect(accountFrameOut.safeParse(frame).error).toBeUndefined()
    expect(frame['printers'][0].current_print).toEqual(rest.current_print)
  })

  it('is told to an account again only when it changed: statuses neither carry it nor run SQL', async () => {
    const all = await page('/ws/web/all/')
    all.send({ watch: [printer.id] })
    await all.hear(({ printers }) => printers)
    const patches = () =>
      all.heard.flatMap((frame) => (frame['patches'] ?? []).map(({ patch }: any) => patch))
    const told = (n: number) => eventually(() => patches().some(({ status }) => status?.n === n) || undefined)
    report(1)
    await told(1)
    const from = patches().length
    const queries = await countQueries(app, async () => {
      for (const n of [2, 3]) {
        report(n)
        await told(n)
      }
    })
    expect(queries).toEqual([])
    const bytes = JSON.stringify(patches().slice(from))
    expect(bytes).not.toContain('current_print')
    expect(bytes.length).toBeLessThan(300)
  })

  it('has a new still made when one is asked for and nothing moves, once for all who look', async () => {
    const viewing = () => agent.heard.filter(({ remote_status: said }) => said?.viewing === true).length
    const comers = viewing() + 2
    const one = await page(`/ws/web/${printer.id}/`)
    const all = await page('/ws/web/all/')
    all.send({ watch: [printer.id], viewing: [printer.id] })
    // Each comer has one made.
    const before = await eventually(() => (viewing() === comers ? comers : undefined))
    one.send({ still: true })
    await eventually(() => (viewing() > before ? true : undefined))
    // Who asks a moment later is answered by the same one.
    all.send({ still: [printer.id] })
    all.send({ ping: 1 })
    await all.hear(({ pong }) => pong === 1)
    const asked = viewing()
    app.advance(5_000)
    all.send({ still: [printer.id] })
    await eventually(() => (viewing() === asked + 1 ? true : undefined))
    expect(asked).toBe(before + 1)
  })

  it('tells the reason that it is not watched as its printer does, when that comes with a status alone', async () => {
    const all = await page('/ws/web/all/')
    all.send({ watch: [printer.id] })
    const before = (await all.hear(({ printers }) => printers))['printers'][0]
    expect(before.not_watching_reason).not.toBe('Printer is not actively printing')
    report(9, false)
    const reason = 'Printer is not actively printing'
    const { patch } = await eventually(() =>
      all.heard
        .flatMap((frame) => frame['patches'] ?? [])
        .find(({ patch }: any) => patch.not_watching_reason === reason),
    )
    expect((patch.current_print ?? before.current_print).printer.not_watching_reason).toBe(reason)
  })

  it('is nothing that a viewer of the camera hears of', async () => {
    const path = `/api/v1/sharedresources/?printer_id=${printer.id}`
    const [{ share_token: token }] = (await call(app, 'POST', path, { cookie: owner.cookie })).json
    const { json } = await call(app, 'GET', `/api/v1p/printer/?share_token=${token}`)
    const viewer = await openBrowser(app, `/ws/share_token/web/${token}/`)
    pages.push(viewer)
    const first = await viewer.hear(() => true)
    for (const seen of [json, first]) {
      expect(Object.keys(seen).toSorted()).toEqual(['name', 'pic', 'settings'])
      expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${printer.auth_token}|auth_token|gcode`))
    }
  })
})
