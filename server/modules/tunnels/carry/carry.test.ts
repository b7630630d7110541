import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { aPrinter, aUser, buildTestApp, type TestApp } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { carry } from './carry.service.ts'
import { TUNNEL_CLOSE } from './port.ts'
import { openTunnelSocket } from './sockets.service.ts'
import { aRequest, bytesOf, localPage, simulatedAgent, type LocalPage } from './tunnels.fixture.ts'

let app: TestApp
let page: LocalPage
let printer: { id: number; auth_token: string }
const nothing = () => undefined
const ends: (() => unknown)[] = []

beforeAll(async () => {
  app = await buildTestApp()
  page = await localPage((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.setHeader('set-cookie', ['a=1; Path=/', 'b=2'])
      response.end(
        JSON.stringify({ url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() }),
      )
    })
  })
  printer = await aPrinter(app, await aUser(app))
  const agent = await simulatedAgent(app, printer, { localUrl: page.url })
  ends.push(() => agent.stop())
})
afterAll(async () => {
  for (const end of ends) end()
  page.close()
  await app.close()
})

it('carries a request to the printer’s page and its answer back', async () => {
  let counted = 0
  const answer = await carry(
    app.ctx,
    printer.id,
    aRequest('/server/info?x=1', { headers: { 'x-one': '1' } }),
    (bytes) => (counted += bytes),
  )
  const body = JSON.parse(String(await bytesOf(answer)))
  expect(answer.status).toBe(200)
  expect(answer.cookies).toEqual(['a=1; Path=/', 'b=2'])
  expect(body).toMatchObject({ url: '/server/info?x=1', headers: { 'x-one': '1' } })
  expect(counted).toBeGreaterThan(100)
  async function* text() {
    yield Buffer.from('hello ')
    yield Buffer.from('printer')
  }
  const posted = await carry(
    app.ctx,
    printer.id,
    aRequest('/post', { method: 'POST', body: text(), length: 13 }),
    nothing,
  )
  expect(JSON.parse(String(await bytesOf(posted))).body).toBe('hello printer')
})

it('carries a websocket of the printer’s page', async () => {
  const sockets = new WebSocketServer({ server: page.server, path: '/websocket' })
  sockets.on('connection', (ws) => ws.on('message', (data) => ws.send(`said ${String(data)}`)))
  const heard: unknown[] = []
  const ended: number[] = []
  const socket = await openTunnelSocket(app.ctx, printer.id, {
    path: '/websocket',
    hear: (data) => heard.push(data),
    end: (code) => ended.push(code),
    counted: nothing,
  })
  socket.send('hello')
  await eventually(() => heard[0])
  expect(heard).toEqual(['said hello'])
  for (const ws of sockets.clients) ws.close()
  await eventually(() => ended[0])
  expect(ended).toEqual([TUNNEL_CLOSE.closed])
})
