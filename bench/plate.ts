import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import type { Benchmark } from './lib/benchmark.ts'
import { newProfile } from './lib/chromium.ts'
import { openPages } from './lib/page.ts'
import { slicerOf, torus } from './lib/slicing.ts'

const ASSETS = join(import.meta.dirname, '../web/dist/assets')
const RUNS = 3
/** Of 5 MB, of what is moved, and of 100 MB. */
const [SMALL, MOVED, LARGE] = [100_000, 500_000, 2_000_000]
const STILL_MS = 2_000
const STEPS = 40
const LONGEST_MS = 180_000

type Plate = HTMLElement & { cost: { frames: number; ms: number; longestMs: number; drawnAt: number } }

interface Opened {
  readonly page: Page
  /** Since the page was called, and since its mesh was. */
  readonly seconds: number
  readonly ofMesh: number
  readonly longest: number
}

/** Opens the plate with a mesh in a new profile, and waits until it is drawn; the longest task of the page's thread meanwhile. */
async function open(browser: Browser, url: string, cookie: string, mesh: string): Promise<Opened> {
  const context = await newProfile(browser, { url, cookie }, { viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(LONGEST_MS)
  await page.addInitScript(() => {
    const tasks: { at: number; ms: number }[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ at: startTime, ms: duration })
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(
    `${url}/ent/slice_settings/?3d_mesh_url=${encodeURIComponent(mesh)}&target_gcode_name=a.gcode`,
  )
  const canvas = page.locator('canvas').first()
  await canvas.waitFor()
  while ((await costOf(page)).drawnAt === 0) await page.waitForTimeout(20)
  const { drawnAt, longestMs } = await costOf(page)
  // What the software that draws takes holds the page, too: a graphics card does not.
  const { asked, longest } = await page.evaluate((end) => {
    const from = performance.getEntriesByName('plate.asked')[0]?.startTime ?? 0
    const { tasks } = window as unknown as { tasks: { at: number; ms: number }[] }
    const before = tasks.filter(({ at, ms }) => at >= from && at + ms <= end)
    return { asked: from, longest: Math.max(0, ...before.map(({ ms }) => ms)) }
  }, drawnAt)
  return {
    page,
    seconds: drawnAt / 1000,
    ofMesh: (drawnAt - asked) / 1000,
    longest: Math.max(longest, longestMs),
  }
}

const costOf = (page: Page) =>
  page
    .locator('canvas')
    .first()
    .evaluate((canvas) => ({ ...(canvas as Plate).cost }))

/** Moves the mesh by hand; processor time of the page's thread for each frame, and frames while nothing changes. */
async function drag(page: Page) {
  const session = await page.context().newCDPSession(page)
  // Processor time: waiting for who draws is none.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  const box = (await page.locator('canvas').first().boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.waitForTimeout(STILL_MS)
  // The mesh is a ring: its side, not its hole.
  await page.mouse.move(x, y + 20)
  await page.mouse.down()
  const [before, busyBefore] = [await costOf(page), await busy()]
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.move(x + step, y + 20 + step / 2)
    await page.waitForTimeout(30)
  }
  const [after, busyAfter] = [await costOf(page), await busy()]
  await page.mouse.up()
  await page.waitForTimeout(STILL_MS)
  const rested = (await costOf(page)).frames
  await page.waitForTimeout(STILL_MS)
  const frames = after.frames - before.frames
  return {
    frames,
    drawMs: (after.ms - before.ms) / frames,
    threadMs: (busyAfter - busyBefore) / frames,
    still: (await costOf(page)).frames - rested,
  }
}

/** What only this page loads of scripts, in kB as they travel. */
async function ownScripts(browser: Browser, url: string, cookie: string): Promise<number> {
  const loaded = async (path: string) => {
    const context = await newProfile(browser, { url, cookie })
    const page = await context.newPage()
    const names = new Set<string>()
    page.on('request', (request) => {
      const [, name] = /\/assets\/([^/?]+\.js)$/.exec(request.url()) ?? []
      if (name) names.add(name)
    })
    await page.goto(url + path, { waitUntil: 'networkidle' })
    await context.close()
    return names
  }
  const [list, plate] = [await loaded('/g_code_files/'), await loaded('/ent/slice_settings/')]
  const there = new Set(readdirSync(ASSETS))
  const own = [...plate].filter((name) => !list.has(name) && there.has(name))
  return own.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name))).length, 0) / 1000
}

const plate: Benchmark = {
  name: 'plate',
  conditions:
    `The slicer's page in chromium at 1440x900 with graphics by software (SwiftShader), ${RUNS} times in a new profile each. The first view is from the ` +
    `call of the page, or of its mesh, until a mesh of 5 MB (${SMALL.toLocaleString('en-US')} triangles) was drawn. Moved is one of ${MOVED.toLocaleString('en-US')} triangles by hand, ` +
    `processor time of the page's thread for each frame. The longest task is that of the page's thread until it has given a mesh of 100 MB (${LARGE.toLocaleString('en-US')} triangles) to who draws it.`,
  async run(say) {
    const { server, browser, cookie, close } = await openPages()
    try {
      const own = slicerOf(server, cookie)
      await own.choose()
      const meshes: string[] = []
      for (const count of [SMALL, MOVED, LARGE]) meshes.push(await own.bring(torus(count), `${count}.stl`))
      const [first, moved, large]: [Opened[], Awaited<ReturnType<typeof drag>>[], Opened[]] = [[], [], []]
      for (let run = 0; run < RUNS; run++) {
        const [a, b, c] = [
          await open(browser, server.url, cookie, meshes[0]!),
          await open(browser, server.url, cookie, meshes[1]!),
          await open(browser, server.url, cookie, meshes[2]!),
        ]
        first.push(a)
        moved.push(await drag(b.page))
        large.push(c)
        say(JSON.stringify([a.seconds, a.ofMesh, moved.at(-1), c.seconds, c.longest]))
        for (const { page } of [a, b, c]) await page.context().close()
      }
      return [
        { what: 'the page with a mesh of 5 MB', unit: 's', values: first.map((one) => one.seconds) },
        {
          what: 'first view of the mesh, since it was called',
          unit: 's',
          values: first.map((one) => one.ofMesh),
          aim: { below: 1.5 },
        },
        {
          what: 'a frame of moving, all of the page’s thread',
          unit: 'ms',
          values: moved.map((one) => one.threadMs),
          aim: { below: 8 },
        },
        { what: 'of which drawing', unit: 'ms', values: moved.map((one) => one.drawMs) },
        {
          what: 'frames in two seconds without a change',
          unit: '',
          values: moved.map((one) => one.still),
          aim: { below: 1 },
        },
        {
          what: 'longest task while 100 MB come',
          unit: 'ms',
          values: large.map((one) => one.longest),
          aim: { below: 100 },
        },
        { what: 'view of a mesh of 100 MB', unit: 's', values: large.map((one) => one.seconds) },
        {
          what: 'scripts of this page alone, gzip',
          unit: 'kB',
          values: [await ownScripts(browser, server.url, cookie)],
          aim: { below: 350 },
        },
      ]
    } finally {
      await close()
    }
  },
}

export const benchmarks = [plate]
