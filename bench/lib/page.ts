import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChromium } from './chromium.ts'
import { startBenchServer } from './server.ts'

const BOOTSTRAP = join(import.meta.dirname, '../../scripts/bootstrap.mjs')

/** A server with the pages as they are now, a browser, who is signed in, and the end of both. */
export async function openPages() {
  // As `vigil up` does it: the client is built, if it changed.
  await promisify(execFile)(process.execPath, [BOOTSTRAP, 'up'])
  const server = await startBenchServer()
  const browser = await startChromium()
  return {
    server,
    browser,
    cookie: await server.signIn(),
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}
