import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { isAll } from '../scripts/suites.ts'
import { abroadFindings, comeHome } from './abroad.ts'
import type { Person } from './support.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; impact: string | null; nodes: { html: string }[] }[]
  }>
  /** Its rules: how bad what one finds is, is known before. */
  _audit: { rules: { id: string; enabled: boolean; impact: string; tags: string[] }[] }
}

/**
 * What axe finds serious or worse. Rules that find nothing so bad are not asked; where nothing but the theme has
 * changed since the last time, only those of colours are.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  // The page's own rules forbid a script in it; what is evaluated from outside is not one.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async () => {
    const place = window as unknown as { axe: Axe; axeSaw?: string }
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? '1' : '0'
    const sight = [
      document.title,
      document.documentElement.lang,
      innerWidth,
      innerHeight,
      document.body.outerHTML,
      ...[...document.querySelectorAll('body *')].map(isShown),
    ].join()
    const values =
      place.axeSaw === sight
        ? ['color-contrast', 'link-in-text-block']
        : place.axe._audit.rules
            .filter(
              ({ enabled, tags }) => enabled && !tags.some((tag) => /experimental|deprecated/.test(tag)),
            )
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id }) => id)
    place.axeSaw = sight
    const options = { resultTypes: ['violations'], runOnly: { type: 'rule', values } }
    const { violations } = await place.axe.run(options)
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

const THEMES = ['light', 'dark'] as const
/** Screens by the beginnings of their names, all as in `--all` (`npm run shots`). */
const WANTED = process.env['SHOTS']?.split(' ')

/**
 * What a suite sees at a width: `--all` each screen at both widths and in both themes, the gate each in one of these looks, in turn.
 * Who looks several times at the same screens says the how manieth time it is: four times are all looks, in `--all`, too.
 */
const seenAt = (width: number, screens: readonly Screen[], time: number | undefined): readonly Seen[] =>
  screens.flatMap((screen, at): Seen[] => {
    if (WANTED && !WANTED.some((wanted) => screen.name.startsWith(wanted))) return []
    if (WANTED || (isAll && time === undefined)) return [{ ...screen, themes: THEMES }]
    const look = at + (time ?? 0)
    const isHere = (look % 2 === 0) === (width === 390)
    return isHere ? [{ ...screen, themes: [THEMES[(look >> 1) % 2]!] }] : []
  })

/** A page that moves sideways, by how much. */
export async function sidewaysFindings(page: Page): Promise<string[]> {
  const by = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return by > 0 ? [`scrolls sideways by ${by} pixels`] : []
}

/** Whatever moves for longer than a frame. */
export async function motionFindings(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.getAnimations().flatMap((one) => {
      const { duration = 0 } = one.effect?.getComputedTiming() ?? {}
      const { target } = (one.effect as KeyframeEffect | null) ?? {}
      return Number(duration) > 1
        ? [`moves for ${String(duration)} ms: ${target?.outerHTML.slice(0, 160)}`]
        : []
    }),
  )
}

/** Buttons and links whose words have the very colour of their ground: axe leaves those to a person to judge. */
export async function unreadableFindings(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a[href], button')].flatMap((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      const words = element.textContent.trim()
      return words !== '' && color === backgroundColor ? [`"${words}" can't be read`] : []
    }),
  )
}

/**
 * Controls that a thumb misses: smaller than 44 pixels either way. A field counts with its label, which is part of
 * what can be hit; a link within a sentence is as high as its line (WCAG 2.5.8), and what is drawn into a picture as
 * large as it was drawn.
 */
export async function touchFindings(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const LEAST = 43.5
    const CONTROLS =
      'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="switch"], [role="slider"], [role^="menuitem"]'
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      [...element.parentNode!.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
      )
    /** Whether a thumb around the middle of a small thing still hits it: its hit area may be larger than itself. */
    const isHitAround = (element: Element, parts: Element[]) => {
      element.scrollIntoView({ block: 'center' })
      const boxes = parts.map((part) => part.getBoundingClientRect())
      const x =
        (Math.min(...boxes.map(({ left }) => left)) + Math.max(...boxes.map(({ right }) => right))) / 2
      const y =
        (Math.min(...boxes.map(({ top }) => top)) + Math.max(...boxes.map(({ bottom }) => bottom))) / 2
      const reach = (right: number, down: number) => {
        for (let by = 0; by < LEAST; by += 2) {
          const hit = document.elementFromPoint(x + right * by, y + down * by)
          if (!parts.some((part) => part.contains(hit))) return by
        }
        return LEAST
      }
      return reach(-1, 0) + reach(1, 0) >= LEAST && reach(0, -1) + reach(0, 1) >= LEAST
    }
    const partsOf = (element: Element) =>
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement
        ? [element, ...(element.labels ?? [])]
        : [element]
    // What lies under a dialog or a menu is not what is touched.
    const over = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].at(-1)
    return [...(over ?? document).querySelectorAll(CONTROLS)].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
        const { labels } = element as HTMLInputElement
        if (!labels?.[0]?.checkVisibility({ visibilityProperty: true })) return []
      }
      if (element.closest('[aria-hidden="true"], [inert], svg') || isInSentence(element)) return []
      const boxes = partsOf(element).map((part) => part.getBoundingClientRect())
      // Off the page until it is focused, as the link to the content is.
      if (boxes.every(({ bottom }) => bottom + scrollY <= 0)) return []
      const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
      const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top))
      if (width >= LEAST && height >= LEAST) return []
      if (isHitAround(element, partsOf(element))) return []
      return [
        `${Math.round(width)} x ${Math.round(height)} pixels to touch: ${element.outerHTML.slice(0, 200)}`,
      ]
    })
  })
  await page.evaluate(() => scrollTo(0, 0))
  return found
}

/** A page that is looked at. */
export interface Screen {
  readonly name: string
  readonly path: () => string
  /** What is there when it is. */
  readonly ready: string
  /** What is pressed then, one after the other, and what is there after it. */
  readonly press?: readonly (string | RegExp)[]
  readonly opened?: string
}

/** A screen, and the themes in which it is seen. */
interface Seen extends Screen {
  readonly themes: readonly (typeof THEMES)[number][]
}

const HEIGHT = 844
/** From a desk to a phone: the other way round the browser would go on being one that is touched. */
const WIDTHS = [1440, 390] as const

/** A page becomes as wide as that, a phone's is touched from then on. One page is both: each that is loaded anew costs as much as five looks. */
async function becomes(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  if (width >= 600) return
  const device = await page.context().newCDPSession(page)
  const metrics = { width, height: HEIGHT, deviceScaleFactor: 1, mobile: true }
  await device.send('Emulation.setDeviceMetricsOverride', metrics)
  await device.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/** Looks through all these screens with the eyes of a person; what is wrong with any of them. The person's page is a phone's afterwards. */
export async function lookThrough(
  person: Person,
  at: (path: string) => string,
  screens: readonly Screen[],
  time?: number,
): Promise<string[]> {
  await person.page.emulateMedia({ reducedMotion: 'reduce' })
  const found: string[] = []
  for (const width of WIDTHS) {
    await becomes(person.page, width)
    for (const screen of seenAt(width, screens, time))
      found.push(...(await lookAt(person, at, screen, width)))
  }
  return found
}

const OUT = process.env['SHOTS_OUT'] ?? join(import.meta.dirname, 'out')
/** A page as long as it is; what lies over one as it is seen. */
const keep = (page: Page, name: string, fullPage = true) =>
  page.screenshot({ path: join(OUT, `look-${name}.png`), fullPage })

const LOST = 'There is no such page'

/**
 * Goes to an address. In the gate as a link leads there, past a page that has nothing on it, where the app is loaded already: a page that
 * is loaded anew costs more than all that is looked at on it. `--all` loads each.
 */
async function arriveAt(page: Page, address: string): Promise<void> {
  const isLoaded = !isAll && !WANTED && (await page.evaluate(() => 'axe' in window))
  if (isLoaded && (await goesTo(page, '/nowhere/', LOST)))
    return await page.evaluate((to) => history.pushState(null, '', to), new URL(address).href)
  await page.goto(address)
}

/** False where the page that was open leads somewhere itself meanwhile. */
async function goesTo(page: Page, path: string, there: string): Promise<boolean> {
  await page.evaluate((to) => history.pushState(null, '', to), path)
  return await page
    .getByText(there)
    .first()
    .waitFor({ timeout: 5_000 })
    .then(
      () => true,
      () => false,
    )
}

/** Goes to a screen and opens on it what is to be seen; what of it did not come, or null. */
async function missingOn(
  page: Page,
  address: string,
  { ready, press = [], opened }: Screen,
): Promise<string | null> {
  const isThere = async (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()
  await arriveAt(page, address)
  try {
    await isThere(ready)
    for (const name of press)
      await page
        .getByRole('button', { name })
        .or(page.getByRole('menuitem', { name }))
        .filter({ visible: true })
        .first()
        .click()
    if (opened !== undefined) await isThere(opened)
    return null
  } catch (error) {
    return String(error).split('\n').slice(0, 3).join(' ')
  }
}

/** What is wrong with a page, in its themes. Pictures are kept of all (`npm run shots`, `--all`), in the gate of what is wrong: nobody looks at the others. */
async function lookAt(
  { page }: Person,
  at: (path: string) => string,
  screen: Seen,
  width: number,
): Promise<string[]> {
  const { name, path, themes } = screen
  const isWhole = screen.press === undefined
  await page.emulateMedia({ colorScheme: themes[0]! })
  const missing = await missingOn(page, at(path()), screen)
  if (missing !== null) {
    await keep(page, `${name}-${width}-missing`)
    return [`${name}: not there: ${missing}`]
  }
  const found: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' })
    const texts = [...(await seriousFindings(page)), ...(await unreadableFindings(page))]
    found.push(...texts.map((text) => `${theme}: ${text}`))
    // Before any picture: for one of the whole page the browser forgets that it is touched.
    if (width < 600 && theme === themes[0]) found.push(...(await touchFindings(page)))
    if (WANTED || isAll || texts.length > 0) await keep(page, `${name}-${width}-${theme}`, isWhole)
  }
  found.push(...(await sidewaysFindings(page)), ...(await motionFindings(page)))
  if ((WANTED || isAll) && isWhole) {
    found.push(...(await abroadFindings(page)), ...(await sidewaysFindings(page)))
    await keep(page, `${name}-${width}-zh`)
    await comeHome(page)
  }
  return found.map((text) => `${name}: ${text}`)
}
