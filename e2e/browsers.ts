import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const WHOLE = '/usr/bin/chromium'
/** The chromium that has no windows does the same for 15 % less processor time; but it shows no notifications. */
const USUAL = ['/usr/bin/chromium-headless-shell', WHOLE].find((one) => existsSync(one)) ?? WHOLE

/** One for all files of a worker, with which it ends. */
let shared: Promise<Browser> | null = null
/** What the journeys of this file have in its place. */
let own: Promise<Browser> | null = null

/** The journeys of this file need all of chromium. Call before the first one. */
export const useWholeBrowser = (): void => {
  own = launch(WHOLE)
}

/** The browser of this file's journeys, in the place of the one that would be launched. */
export const useBrowser = (given: Browser): void => {
  own = Promise.resolve(given)
}

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** The browser of this file's journeys. One that has fallen takes no other file along. */
export async function theBrowser(): Promise<Browser> {
  if (own) return await own
  const last = await shared?.catch(() => null)
  if (!last?.isConnected()) shared = launch(USUAL)
  return await shared!
}

/** Ends every profile of this file, and its own browser if it had one. */
export async function closeBrowser(): Promise<void> {
  const [mine, all] = [own, shared]
  own = null
  if (mine) return await (await mine).close()
  const contexts = (await all?.catch(() => null))?.contexts() ?? []
  await Promise.all(contexts.map((context) => context.close()))
}
