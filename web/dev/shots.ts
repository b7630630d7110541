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
import { answer, farm, pictures, printers, type World } from './stub.ts'
import { answerWidgets, speak, widgetShots } from './widgets.ts'

const DIST = process.env['SHOTS_DIST'] ?? join(import.meta.dirname, '../dist')
const OUT = process.env['SHOTS_OUT'] ?? '/tmp/shots'
const PORT = Number(process.env['SHOTS_PORT'] ?? 4173)
const PREFIX = '/house/'
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const CSP =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; base-uri 'self'"
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Shot {
  name: string
  path: string
  world?: Partial<World>
  act?: (page: Page) => Promise<void>
}

const ZONES = [
  [
    { x: 0.05, y: 0.7 },
    { x: 0.3, y: 0.72 },
    { x: 0.28, y: 0.97 },
    { x: 0.04, y: 0.95 },
  ],
  [
    { x: 0.75, y: 0.05 },
    { x: 0.97, y: 0.06 },
    { x: 0.9, y: 0.3 },
  ],
]
const ITEM = encodeURIComponent(JSON.stringify({ brand: 'FLSUN', model: 'S1', image_url: null }))

async function showGrid(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('printersView', 'grid'))
  await page.reload()
  await page.getByRole('checkbox').first().waitFor()
}

async function openShare(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Share the camera|分享)/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
}

const shots: Shot[] = [
  { name: 'list', path: 'printers/' },
  { name: 'list-empty', path: 'printers/', world: { printers: [] } },
  {
    name: 'list-failed',
    path: 'printers/',
    world: { broken: 503 },
    act: (page) => page.getByRole('alert').waitFor({ timeout: 9000 }),
  },
  {
    name: 'list-archived',
    path: 'printers/',
    world: {
      enterprise: true,
      printers: printers().map((each, at) =>
        at > 3 ? { ...each, archived_at: '2026-01-01T00:00:00Z' } : each,
      ),
    },
  },
  { name: 'grid', path: 'printers/', world: { printers: farm(40) }, act: showGrid },
  {
    name: 'grid-camera',
    path: 'printers/',
    world: { printers: farm(40) },
    act: async (page) => {
      await showGrid(page)
      await page
        .getByRole('button', { name: /Camera of|的摄像头/ })
        .nth(3)
        .click({ force: true })
      await page.waitForTimeout(300)
    },
  },
  {
    name: 'bulk',
    path: 'printers/',
    world: { printers: farm(40) },
    act: async (page) => {
      await showGrid(page)
      for (const at of [0, 1, 2, 4, 5]) await page.getByRole('checkbox').nth(at).check()
      await page.getByRole('button', { name: /^(Pause|暂停)/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'bulk-answers',
    path: 'printers/',
    world: { printers: farm(40) },
    act: async (page) => {
      await showGrid(page)
      for (const at of [0, 1, 2, 4, 5]) await page.getByRole('checkbox').nth(at).check()
      await page.getByRole('button', { name: /^(Pause|暂停)/ }).click()
      await page.getByRole('dialog').getByRole('button').last().click()
      await page.waitForTimeout(500)
    },
  },
  { name: 'share', path: 'printers/', act: openShare },
  { name: 'share-off', path: 'printers/', world: { unshared: true }, act: openShare },
  { name: 'share-pro', path: 'printers/', world: { enterprise: true, pro: false }, act: openShare },
  {
    name: 'share-add',
    path: 'printers/',
    act: async (page) => {
      await openShare(page)
      await page.getByRole('button', { name: /Add another|再添加/ }).click()
    },
  },
  { name: 'shared', path: 'printers/share_token/abc/', world: { signedIn: false } },
  { name: 'shared-pin', path: 'printers/share_token/abc/', world: { signedIn: false, shared: 401 } },
  { name: 'shared-ended', path: 'printers/share_token/abc/', world: { signedIn: false, shared: 404 } },
  ...widgetShots,
  { name: 'control', path: 'printers/1/control/' },
  { name: 'control-idle', path: 'printers/3/control/' },
  { name: 'control-alert', path: 'printers/2/control/' },
  { name: 'control-blind', path: 'printers/4/control/' },
  { name: 'control-offline', path: 'printers/5/control/' },
  { name: 'control-waiting', path: 'printers/6/control/' },
  { name: 'control-gone', path: 'printers/99/control/' },
  {
    name: 'dialog',
    path: 'printers/2/control/',
    act: async (page) => {
      await page.getByRole('alert').getByRole('button').nth(1).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'menu',
    path: 'printers/3/control/',
    act: async (page) => {
      if (await page.locator('aside').isVisible()) await page.locator('aside button').click()
    },
  },
  {
    name: 'toast',
    path: 'printers/1/control/',
    act: async (page) => {
      await page.locator('section button').first().click()
      await page.getByRole('dialog').getByRole('button').last().click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    },
  },
  {
    name: 'delete',
    path: 'printers/1/',
    act: async (page) => {
      await page.getByRole('button', { name: /Delete printer|删除打印机/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'field-error',
    path: 'printers/1/',
    act: async (page) => {
      await page.locator('input').first().fill('')
      await page.locator('input').first().blur()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'settings', path: 'printers/1/', world: { zones: ZONES, enterprise: true } },
  {
    name: 'zones',
    path: 'printers/1/',
    world: { zones: ZONES },
    act: async (page) => {
      await page.getByRole('button', { name: /Edit zones|编辑区域/ }).click()
      await page.getByRole('button', { name: /^(Zone|区域) ?1$/ }).focus()
    },
  },
  {
    name: 'zones-draw',
    path: 'printers/1/',
    act: async (page) => {
      await page.getByRole('button', { name: /Draw a zone|绘制区域/ }).click()
      const box = await page.getByRole('dialog').locator('img').boundingBox()
      for (const [x, y] of [
        [0.1, 0.6],
        [0.5, 0.65],
        [0.45, 0.95],
      ] as const)
        if (box) await page.mouse.click(box.x + box.width * x, box.y + box.height * y)
    },
  },
  { name: 'wizard', path: 'printers/wizard/' },
  { name: 'guide-product', path: `printers/wizard/guide/klipper-flsun-enabled/?printerItem=${ITEM}` },
  { name: 'bare', path: 'printers/1/control/?hide_header=true' },
  { name: 'guide', path: 'printers/wizard/guide/klipper-generic/' },
  { name: 'link', path: 'printers/wizard/link/klipper-generic/' },
  { name: 'linked', path: 'printers/wizard/success/1/' },
  { name: 'preferences', path: 'user_preferences/' },
  { name: 'lost', path: 'nowhere/' },
  { name: 'login', path: 'accounts/login/', world: { signedIn: false } },
  {
    name: 'login-refused',
    path: 'accounts/login/',
    world: { signedIn: false },
    act: async (page) => {
      await page.locator('input[type=email]').fill('mk@example.org')
      await page.locator('input[type=password]').fill('wrong')
      await page.locator('button[type=submit]').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'setup', path: 'setup/?token=123456', world: { signedIn: false, setUpRequired: true } },
]

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://x').pathname.slice(PREFIX.length)
  const file = extname(path) ? path : 'index.html'
  try {
    let body: Buffer | string = await readFile(join(DIST, file))
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
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/status of (4|5)\d\d/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.route(`**${PREFIX}api/**`, (route) => {
    const request = route.request()
    const path = new URL(request.url()).pathname.slice(PREFIX.length - 1)
    const reply = answerWidgets(world, path) ?? answer(world, request.method(), path)
    if (!reply) complaints.push(`no stub for ${request.method()} ${request.url()}`)
    return route.fulfill({ status: reply?.status ?? 404, json: reply?.body ?? {} })
  })
  await page.route('**/media/*.svg', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: pictures[new URL(route.request().url()).pathname] ?? '',
    }),
  )
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
  await page.routeWebSocket(/\/ws\/(share_token|link)\//, () => undefined)
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
    complaints.push(...(await check(page)))
    const name = `${shot.name}-${width}-${dark ? 'dark' : 'light'}-${language}`
    await page.screenshot({
      path: join(OUT, `${name}.png`),
      fullPage: width < 600 || shot.name === 'settings',
    })
    for (const complaint of complaints) console.log(`${name}: ${complaint}`)
    bad += complaints.length
    await page.context().close()
  }
await browser.close()
server.close()
console.log(`${bad} complaints; pictures in ${OUT}`)
process.exitCode = bad ? 1 : 0
