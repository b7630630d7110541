import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from './app.ts'
import { openBrowser } from './wire/browser.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
})
afterAll(() => app.close())

/** One socket of each kind that a page opens. */
async function paths(): Promise<string[]> {
  const post = async (path: string) =>
    (await call(app, 'POST', path, { cookie: owner.cookie, body: {} })).json
  const { share_token: token } = await post(`/api/v1/printers/${printer.id}/share_links/`)
  const code = await call(app, 'GET', '/api/v1/onetimeverificationcodes/', { cookie: owner.cookie })
  return [
    `/ws/web/${printer.id}/`,
    `/ws/token/web/${printer.auth_token}/`,
    '/ws/web/all/',
    `/ws/share_token/web/${token}/`,
    `/ws/link/${code.json[0]?.id ?? code.json.id}/`,
  ]
}

it('a heartbeat with a number is answered on every socket of a page, one without is not', async () => {
  for (const path of await paths()) {
    const page = await openBrowser(app, path, owner.cookie)
    page.send({})
    page.ws.send('{"ping":"1"}')
    page.ws.send(`{"ping":1,"more":"${'x'.repeat(100)}"}`)
    page.send({ ping: 7 })
    await page.hear(({ pong }) => pong === 7)
    expect([path, page.heard.filter((frame) => 'pong' in frame)]).toEqual([path, [{ pong: 7 }]])
    page.ws.close()
  }
})
