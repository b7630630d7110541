import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { FRONT, H264, type Media, startMedia, TIP } from './media.ts'
import { FIRST, Net, said } from './net.ts'

/** Janus, a relay and a camera in a network of their own, and a viewer's browser in another one. */
export interface BareLab extends Media {
  readonly net: Net
  /** Finds the server at its own address. */
  readonly browser: Browser
  end(): Promise<void>
}

/** Starts all of it around the server at that address of this machine, which runs with `RELAY` in its environment. */
export async function openLab(address: string, { fps = 25, fansOut = false } = {}): Promise<BareLab> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-lab-'))
  const stop = new AbortController()
  const net = await Net.make()
  if (fansOut) await net.reachServer()
  const media = await startMedia(net, { folder, fps, signal: stop.signal })

  const { port } = new URL(address)
  const door = createServer((client) => {
    const server = connect(Number(port), '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const end of [client, server]) end.on('error', () => undefined)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }).listen(join(folder, 'server.sock'))
  await once(door, 'listening')
  const inside = join(import.meta.dirname, 'inside.ts')
  const args = [inside, 'viewer', port, join(folder, 'server.sock')]
  await said(net.start(net.viewer, process.execPath, args), 'ready')
  const browser = await launchIn(net, folder)

  return {
    ...media,
    net,
    browser,
    async end() {
      await browser.close()
      stop.abort()
      door.close()
      await net.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launchIn(net: Net, folder: string): Promise<Browser> {
  const executablePath = join(folder, 'chromium')
  await writeFile(
    executablePath,
    `#!/bin/sh\nexec nice ${FIRST.join(' ')} ip netns exec ${net.viewer} chromium "$@"\n`,
  )
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

/** A server with a printer. */
export interface House {
  readonly url: string
  /** Of its owner, signed in. */
  readonly cookie: string
  /** Of its printer. */
  readonly token: string
  /** It carries video itself, at `serverSides`. */
  readonly fansOut?: boolean
}

/** The lab with the agent of one printer before it, for benchmarks. */
export interface Lab extends BareLab {
  readonly machine: SimulatedPrinter
  /** A page of the owner's in the viewer's network. */
  page(): Promise<Page>
}

/** Starts the lab around a server, and a printer that has its cameras. */
export async function startLab({ url, cookie, token, fansOut = false }: House): Promise<Lab> {
  const lab = await openLab(url, { fansOut })
  const machine = startSimulatedPrinter({
    server: url,
    token,
    timeScale: 10,
    reconnectPenaltyMs: 1_000,
    janus: { address: lab.janus, webcams: [FRONT, TIP], dataChannelId: H264 },
  })
  await machine.ready
  await machine.waitFor(
    ({ kind, message }) => kind === 'sent' && JSON.stringify(message).includes('h264_transcode'),
  )
  return {
    ...lab,
    machine,
    async page() {
      const context = await lab.browser.newContext()
      const cookies = cookie.split('; ').map((one) => {
        const [name = '', value = ''] = one.split(/=(.*)/s)
        return { name, value, url }
      })
      await context.addCookies(cookies)
      const page = await context.newPage()
      await page.goto(`${url}/api/v1/`)
      return page
    },
    async end() {
      await machine.stop()
      await lab.end()
    },
  }
}
