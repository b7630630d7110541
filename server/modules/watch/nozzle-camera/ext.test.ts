import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; token: string }

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  await aPrinter(app, owner)
  const { id, auth_token: token } = await aPrinter(app, owner)
  printer = { id, token }
})
afterAll(() => app.close())

test('an owner sets the nozzle camera up, its agent reads it', async () => {
  const path = `/ent/api/printers/${printer.id}/ext/`
  const usual = {
    printer: printer.id,
    first_layer_scan_opted_in: true,
    first_layer_scan_zhop: 4,
    first_layer_scan_retract: 6.5,
    first_layer_scan_retract_speed: 15,
    first_layer_scan_cooldown_temp: 170,
  }
  const asAgent = async (at = path) => (await call(app, 'GET', at, { agent: printer.token })).json.ext
  expect(await asAgent()).toMatchObject({ ...usual, nozzlecam_url: '' })
  expect((await call(app, 'GET', path, { cookie: owner.cookie })).json.ext).toMatchObject({
    ...usual,
    nozzlecam_url: null,
  })
  const patch = (body: object) => call(app, 'PATCH', path, { cookie: owner.cookie, body })
  const url = 'http://192.168.1.9:8080/?action=snapshot'
  expect((await patch({ nozzlecam_url: url })).json.ext).toMatchObject({ ...usual, nozzlecam_url: url })
  expect((await patch({ first_layer_scan_opted_in: 'f' })).json.ext.nozzlecam_url).toBe(url)
  expect((await patch({ first_layer_scan_zhop: '4.1' })).json.ext).toMatchObject({
    ...usual,
    nozzlecam_url: url,
    first_layer_scan_opted_in: false,
    first_layer_scan_zhop: 4.1,
  })
  expect(await asAgent('/ent/api/octo/printer/ext/')).toMatchObject({ nozzlecam_url: url })
  expect((await patch({ nozzlecam_url: '' })).json.ext.nozzlecam_url).toBeNull()
  for (const wrong of [
    { nozzlecam_url: 'javascript:alert(1)' },
    { nozzlecam_url: 'http://' },
    { nozzlecam_url: `http://x/${'y'.repeat(2000)}` },
    { first_layer_scan_zhop: 51 },
    { first_layer_scan_retract: -1 },
    { first_layer_scan_retract_speed: 0 },
    { first_layer_scan_cooldown_temp: 301 },
    { first_layer_scan_opted_in: 'perhaps' },
  ]) {
    const answer = await patch(wrong)
    expect([wrong, answer.status, Object.keys(answer.json)]).toEqual([wrong, 400, Object.keys(wrong)])
  }
  expect(
    (await call(app, 'GET', `/ent/api/printers/${printer.id - 1}/ext/`, { agent: printer.token })).status,
  ).toBe(404)
})
