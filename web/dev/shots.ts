/**
 * Screenshots of the built client against a stub, and an axe check of each: `node web/dev/shots.ts [name…]`.
 * Needs Debian's chromium (and fonts-noto-cjk for Chinese). Pictures go to /tmp/shots.
 */
import { readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { aFilm } from '../../e2e/filmed.ts'
import { motionFindings, touchFindings } from '../../e2e/look.ts'
import { answerAccount } from './accountShots.ts'
import { answerHistory } from './historyShots.ts'
import { answerGallery } from './galleryShots.ts'
import { answerEvents } from './eventsStub.ts'
import { answerFeedback } from './feedback.ts'
import { answerNotifications } from './notificationShots.ts'
import { answerPrintPage } from './printpageShots.ts'
import { answerReplay } from './replayShots.ts'
import { pictures } from './scene.ts'
import { answer, printers, type World } from './stub.ts'
import { shots } from './shotList.ts'
import { answerStats } from './statsShots.ts'
import { answerWidgets, speak } from './widgets.ts'

const DIST = process.env['SHOTS_DIST'] ?? join(import.meta.dirname, '../dist')
/** Where the brands' pictures are. */
const SERVER = join(import.meta.dirname, '../../server')
const OUT = process.env['SHOTS_OUT'] ?? '/tmp/shots'
const PORT = Number(process.env['SHOTS_PORT'] ?? 4173)
const PREFIX = '/house/'
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
const CSP =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; base-uri 'self'"
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://x').pathname.slice(PREFIX.length)
  const file = extname(path) ? path : 'index.html'
  try {
    let body: Buffer | string = await readFile(join(file.startsWith('brands/') ? SERVER : DIST, file))
    const html = file === 'index.html'
    if (html) body = String(body).replace('<base href="/"', `<base href="${PREFIX}"`)
    response.setHeader(
      'Content-Type',
      html ? 'text/html' : (TYPES[extname(file)] ?? 'application/octet-stream'),
    )
    response.setHeader('Content-Security-Policy', CSP)
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
}

/** A time-lapse to play, made when it is first asked for: `ffmpeg` does it. */
let film: ReturnType<typeof aFilm> | null = null

const server = createServer((request, response) => void serve(request, response))

async function openPage(
  browser: Browser,
  world: World,
  width: number,
  dark: boolean,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: dark ? 'dark' : 'light',
    locale: world.language === 'zh' ? 'zh-CN' : 'en-GB',
    hasTouch: width < 600,
    isMobile: width < 600,
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    // Its requests would go past the stubs.
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (
      ['error', 'warning'].includes(message.type()) &&
      !/status of (4|5)\d\d|Service Worker registration blocked/.test(message.text())
    )
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.route(new RegExp(`${PREFIX}(ent/)?api/`), (route) => {
    const request = route.request()
    const { pathname, searchParams } = new URL(request.url())
    const path = pathname.slice(PREFIX.length - 1)
    const known = answerGallery(path, searchParams) ?? answerReplay(path) ?? answerPrintPage(path)
    const reply = known
      ? { status: 200, body: known }
      : (answerFeedback(world, path) ??
        answerNotifications(world, path) ??
        answerEvents(world, path) ??
        answerAccount(path) ??
        answerHistory(world, path) ??
        answerWidgets(world, path) ??
        answerStats(world, path) ??
        answer(world, request.method(), path))
    if (!reply) complaints.push(`no stub for ${request.method()} ${request.url()}`)
    return route.fulfill({ status: reply?.status ?? 404, json: reply?.body ?? {} })
  })
  await page.route('**/media/*.svg', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: pictures[new URL(route.request().url()).pathname] ?? '',
    }),
  )
  await page.route('**/media/film.mp4', async (route) => {
    film ??= aFilm()
    await route.fulfill({ contentType: 'video/mp4', body: (await film).film })
  })
  await page.routeWebSocket(/\/ws\/web\//, (socket) => {
    if (socket.url().endsWith('/web/all/'))
      socket.onMessage((text) => {
        const { watch } = JSON.parse(String(text)) as { watch?: number[] }
        const watched = world.printers.filter((each) => watch?.includes(each.id))
        if (watched.length > 0) socket.send(JSON.stringify({ printers: watched }))
      })
    const id = Number(/web\/(\d+)/.exec(socket.url())?.[1])
    const printer = world.printers.find((each) => each.id === id)
    if (!printer) return
    socket.send(JSON.stringify(printer))
    speak(socket, printer)
  })
  await page.routeWebSocket(/\/ws\/(share_token|link|janus)\//, () => undefined)
  return { page, complaints }
}

async function check(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    // @ts-expect-error axe puts itself on the window
    const result = await window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
      rules: { region: { enabled: false } },
    })
    return result.violations.map(
      (each: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${each.impact} ${each.id}: ${each.nodes
          .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`)
          .slice(0, 3)
          .join(' | ')}`,
    )
  })
  return found as string[]
}

await mkdir(OUT, { recursive: true })
await new Promise<void>((resolve) => server.listen(PORT, '127.0.0.1', resolve))
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-background-networking'],
})
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const VARIANTS = [
  { width: 1440, dark: false, language: 'en' },
  { width: 390, dark: true, language: 'en' },
  { width: 1440, dark: true, language: 'zh' },
  { width: 390, dark: false, language: 'zh' },
] as const
const variants = process.argv.includes('--quick') ? VARIANTS.slice(0, 2) : VARIANTS
let bad = 0
for (const shot of shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
  for (const { width, dark, language } of variants) {
    const world: World = { signedIn: true, printers: printers(), language, ...shot.world }
    const { page, complaints } = await openPage(browser, world, width, dark)
    await page.goto(`http://127.0.0.1:${PORT}${PREFIX}${shot.path}`)
    await page
      .locator('h1, h2')
      .first()
      .waitFor({ timeout: 8000 })
      .catch(() => complaints.push('nothing shown'))
    await page.waitForTimeout(350)
    await shot.act?.(page).catch((error: unknown) => complaints.push(String(error).slice(0, 300)))
    await page.waitForTimeout(shot.act ? 350 : 100)
    complaints.push(...(await check(page)), ...(await motionFindings(page)))
    if (width < 600) {
      complaints.push(...(await touchFindings(page)))
      // It scrolled; what is out of sight is not drawn.
      await page.evaluate(() => scrollTo(0, 0))
      await page.waitForTimeout(150)
    }
    const name = `${shot.name}-${width}-${dark ? 'dark' : 'light'}-${language}`
    await page.screenshot({
      path: join(OUT, `${name}.png`),
      fullPage: width < 600 || ['settings', 'gallery'].includes(shot.name),
    })
    for (const complaint of complaints) console.log(`${name}: ${complaint}`)
    bad += complaints.length
    await page.context().close()
  }
await browser.close()
server.close()
console.log(`${bad} complaints; pictures in ${OUT}`)
process.exitCode = bad ? 1 : 0
