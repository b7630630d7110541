import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from 'node:net'
import { buildTestApp, type TestApp } from '../../../test/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** As it stands in the request: `fetch` would make one slash of two in none, but of a name. */
async function ask(path: string, method = 'GET'): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
  let text = ''
  for await (const part of socket) text += String(part)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body }
}

it.each([
  '/jusprin/v1.0/embedded_chat/',
  '/jusprin/v1.2/embedded_chat/?lang=zh',
  '/jusprin/v1.2/embedded_chat',
])('desktop slicers find the chat at %s, and that it is there by HEAD', async (path) => {
  const { status, head } = await ask(path)
  expect(status).toBe(200)
  expect(head).toMatch(/content-type: text\/html/i)
  const asked = await ask(path, 'HEAD')
  expect([asked.status, asked.body]).toEqual([200, ''])
})

it('those of old are led on, with what they asked', async () => {
  const { status, head } = await ask('/jusprin/v0.4/embedded_chat/?devmode=true', 'HEAD')
  expect(status).toBe(301)
  expect(head).toMatch(/location: \/jusprin\/v1\.0\/embedded_chat\/\?devmode=true/i)
})

it.each(['0.4', '1.0', '1.2'])('of two slashes before v%s the page stands just there', async (version) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, head } = await ask(`//jusprin/v${version}/embedded_chat/`, method)
    expect(status, method).toBe(200)
    expect(head).not.toMatch(/location:/i)
  }
})

it('what plays the slicer is served where the server is tried, and in no production', async () => {
  expect((await ask('/jusprin/host/')).status).toBe(200)
  expect((await ask('/host.html')).body).not.toContain('play a slicer')
  const production = await buildTestApp({ env: { NODE_ENV: 'production' } })
  try {
    expect(production.server.app.routeTable.some(({ path }) => path === '/jusprin/host/')).toBe(false)
  } finally {
    await production.close()
  }
})
