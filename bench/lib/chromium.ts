import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

/** A chromium without windows, whose graphics are software's. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-background-networking'],
  })

/** A new profile that is signed in at a server by these cookies; without, it is nobody's. */
export async function newProfile(
  browser: Browser,
  { url, cookie }: { readonly url: string; readonly cookie: string | null },
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  for (const one of cookie?.split('; ') ?? []) {
    const [name = '', value = ''] = one.split(/=(.*)/s)
    await context.addCookies([{ name, value, url: new URL(url).origin }])
  }
  return context
}
