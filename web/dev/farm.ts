/**
 * How much of the browser's main thread a large account costs: 200 printers, one status a second each, over the
 * account's one socket. `node web/dev/farm.ts [printers] [seconds]`, on the built client and Debian's chromium.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { WebSocketServer } from 'ws'
import { farm } from './farmStub.ts'
import { pictures } from './scene.ts'
import { answer, type World } from './stub.ts'

const DIST = process.env['SHOTS_DIST'] ?? join(import.meta.dirname, '../dist')
const COUNT = Number(process.argv[2] ?? 200)
const SECONDS = Number(process.argv[3] ?? 20)
const FRAMES_A_SECOND = 4
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

const world: World = { signedIn: true, printers: farm(COUNT), language: 'en' }

/** As a camera sends them: a drawn picture costs the browser more than a photograph. */
const photos = new Map<string, Buffer>()

async function photograph(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  for (const [path, drawing] of Object.entries(pictures)) {
    await page.setContent(`<body style="margin:0">${drawing}`)
    photos.set(path, await page.screenshot({ type: 'jpeg' }))
  }
  await page.close()
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://x').pathname
  if (path.startsWith('/api/')) {
    const reply = answer(world, request.method ?? 'GET', path)
    response.writeHead(reply?.status ?? 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(reply?.body ?? {}))
    return
  }
  const photo = photos.get(path)
  if (photo) {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' })
    response.end(photo)
    return
  }
  const file = extname(path) ? path : '/index.html'
  const body = await readFile(join(DIST, file)).catch(() => null)
  response.writeHead(body ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
  response.end(body)
}

const sockets = { opened: 0, bytes: 0, viewing: 0 }
const server = createServer((request, response) => void serve(request, response))
new WebSocketServer({ server }).on('connection', (socket) => {
  sockets.opened++
  socket.on('message', (data: Buffer) => {
    const { watch, viewing } = JSON.parse(data.toString()) as { watch?: number[]; viewing?: number[] }
    if (watch) socket.send(JSON.stringify({ printers: world.printers }))
    if (viewing) sockets.viewing = viewing.length
  })
  let turn = 0
  const timer = setInterval(() => {
    turn++
    const patches = world.printers.flatMap(({ id, status }, at) => {
      if (at % FRAMES_A_SECOND !== turn % FRAMES_A_SECOND || !status) return []
      const drift = Math.sin(turn / 7 + at)
      return [
        {
          id,
          patch: {
            agent: { state: 'connected', last_seen_at: new Date().toISOString() },
            status: {
              _ts: Date.now() / 1000,
              progress: {
                completion: (at * 37.3 + turn / 40) % 100,
                printTime: 900 + turn,
                printTimeLeft: 9000 - turn,
                filamentUsed: 11_800 + turn,
              },
              temperatures: {
                tool0: { actual: 215 + drift, target: 215, offset: 0 },
                bed: { actual: 60 + drift / 3, target: 60, offset: 0 },
              },
              currentZ: 0.2 * Math.floor(turn / 20),
            },
          },
        },
      ]
    })
    const text = JSON.stringify({ patches })
    sockets.bytes += text.length
    socket.send(text)
  }, 1000 / FRAMES_A_SECOND)
  socket.on('close', () => clearInterval(timer))
})

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-background-networking'],
})

await photograph(browser)

/** Processor time of the page's main thread since this call, whatever else the machine does. */
async function meter(page: Page): Promise<() => Promise<Record<string, number>>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  }
}

/** Longest frame and frames over 50 ms while the page is scrolled from end to end. */
async function scroll(page: Page): Promise<{ frames: number; slow: number; longest: number }> {
  return page.evaluate(async () => {
    const gaps: number[] = []
    let last = performance.now()
    const height = document.documentElement.scrollHeight - innerHeight
    const steps = Math.min(400, Math.max(60, Math.round(height / 60)))
    for (let at = 0; at < steps; at++) {
      scrollTo(0, (height * at) / steps)
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      gaps.push(now - last)
      last = now
    }
    return {
      frames: gaps.length,
      slow: gaps.filter((gap) => gap > 50).length,
      longest: Math.round(Math.max(...gaps)),
    }
  })
}

for (const view of ['cards', 'grid']) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript((wanted) => localStorage.setItem('printersView', wanted), view)
  sockets.opened = 0
  await page.goto(`http://127.0.0.1:${port}/printers/`)
  await page.locator('h1').waitFor()
  await page.waitForTimeout(4000)
  sockets.bytes = 0
  const read = await meter(page)
  const before = await read()
  const startedAt = performance.now()
  await page.waitForTimeout(SECONDS * 1000)
  const after = await read()
  const seconds = (performance.now() - startedAt) / 1000
  const share = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) / seconds) * 100
  const rate = sockets.bytes / seconds / 1000
  const { frames, slow, longest } = await scroll(page)
  console.log(
    [
      `${view}: main thread ${share('TaskDuration').toFixed(1)} %`,
      `script ${share('ScriptDuration').toFixed(1)} %`,
      `style and layout ${(share('RecalcStyleDuration') + share('LayoutDuration')).toFixed(1)} %`,
      `${rate.toFixed(0)} kB/s`,
      `${sockets.opened} socket, ${sockets.viewing} viewed`,
      `${after['Nodes']} nodes`,
      `scrolled ${frames} frames, ${slow} over 50 ms, longest ${longest} ms`,
    ].join(' · '),
  )
  await page.close()
}
await browser.close()
server.close()
process.exit(0)
