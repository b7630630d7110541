import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../server/test/app.ts'
import { H264, RELAY, startMedia, WEBCAMS } from './media.ts'
import { Net, said } from './net.ts'

/** Where the viewer's browser finds the server, inside its network. */
const PORT = 8080

/** The server, a printer with a real Janus and camera, and a viewer's browser, in networks of their own. */
export interface Lab {
  readonly net: Net
  readonly app: TestApp
  readonly owner: TestUser
  readonly printerId: number
  readonly machine: SimulatedPrinter
  /** A page of the owner's in the viewer's network. */
  page(): Promise<Page>
  end(): Promise<void>
}

export async function startLab(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-lab-'))
  const stop = new AbortController()
  const net = await Net.make()
  const [app, janus] = await Promise.all([buildTestApp({ env: RELAY }), startMedia(net, folder, stop.signal)])
  const owner = await aUser(app)
  const { id: printerId, auth_token: token } = await aPrinter(app, owner)
  const machine = startSimulatedPrinter({
    server: app.url,
    token,
    timeScale: 10,
    reconnectPenaltyMs: 1_000,
    withoutPictures: true,
    signal: stop.signal,
    janus: { address: `ws+unix:${janus}`, webcams: WEBCAMS, dataChannelId: H264 },
  })
  await machine.ready
  await machine.waitFor(
    ({ kind, message }) => kind === 'sent' && JSON.stringify(message).includes('h264_transcode'),
    20_000,
  )

  const door = createServer((client) => {
    const server = connect(Number(new URL(app.url).port), '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const end of [client, server]) end.on('error', () => undefined)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }).listen(join(folder, 'server.sock'))
  await once(door, 'listening')
  const inside = join(import.meta.dirname, 'inside.ts')
  const args = [inside, 'viewer', String(PORT), join(folder, 'server.sock')]
  await said(net.start(net.viewer, process.execPath, args), 'ready')
  const browser = await launchIn(net, folder)

  return {
    net,
    app,
    owner,
    printerId,
    machine,
    async page() {
      const context = await browser.newContext()
      const cookies = owner.cookie.split('; ').map((one) => {
        const [name = '', value = ''] = one.split('=')
        return { name, value, url: `http://127.0.0.1:${PORT}` }
      })
      await context.addCookies(cookies)
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${PORT}/api/v1/`)
      return page
    },
    async end() {
      await browser.close()
      stop.abort()
      await machine.stop()
      door.close()
      await app.close()
      await net.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launchIn(net: Net, folder: string): Promise<Browser> {
  const executablePath = join(folder, 'chromium')
  await writeFile(executablePath, `#!/bin/sh\nexec ip netns exec ${net.viewer} chromium "$@"\n`)
  await chmod(executablePath, 0o755)
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--autoplay-policy=no-user-gesture-required',
      '--disable-background-networking',
    ],
  })
}
