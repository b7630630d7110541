import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { H264, startMedia, WEBCAMS } from './media.ts'
import { Net, said } from './net.ts'

/** Where the viewer's browser finds the server, inside its network. */
const PORT = 8080

/** A server with a printer; it runs with `RELAY` in its environment. */
export interface House {
  readonly url: string
  /** Of its owner, signed in. */
  readonly cookie: string
  /** Of its printer. */
  readonly token: string
  /** It carries video itself, at `serverSides`. */
  readonly fansOut?: boolean
}

/** The server, a printer with a real Janus and camera, and a viewer's browser, in networks of their own. */
export interface Lab {
  readonly net: Net
  readonly machine: SimulatedPrinter
  /** A page of the owner's in the viewer's network. */
  page(): Promise<Page>
  end(): Promise<void>
}

/** Starts all of it around a server. */
export async function startLab({ url, cookie, token, fansOut }: House): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-lab-'))
  const stop = new AbortController()
  const net = await Net.make()
  if (fansOut) await net.reachServer()
  const janus = await startMedia(net, folder, stop.signal)
  const machine = startSimulatedPrinter({
    server: url,
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
    const server = connect(Number(new URL(url).port), '127.0.0.1')
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
    machine,
    async page() {
      const context = await browser.newContext()
      const cookies = cookie.split('; ').map((one) => {
        const [name = '', value = ''] = one.split(/=(.*)/s)
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
