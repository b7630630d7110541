import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ShareLink } from '@vigil/contract/remote/sharing.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../server/test/wire/agent.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../server/test/app.ts'
import { setPlan } from '../../server/modules/people/accounts/index.ts'
import { type Lab, startLab } from '../lab/lab.ts'
import { H264, MJPEG } from '../lab/media.ts'
import { PRINTER_SIDE, serverSides, whyNoLab } from '../lab/net.ts'
import { look, untilSeen, watchCamera } from '../lab/watch.ts'

const run = promisify(execFile)
const isCi = process.env['CI'] === 'true' || process.env['CI'] === '1'
const why = await whyNoLab()
if (why !== null) console.log(`No video is played in these tests: ${why}.`)
it.runIf(why !== null && isCi)('CI can make networks of its own', () => expect(why).toBeNull())

/** Loose, as machines of tests are busy: figures are bench/video.ts's. */
const AGE_MS = 3_000
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Infinity
const UDP_PORT = 40_000 + (process.pid % 20_000)

describe.skipIf(why !== null)('video that the server serves to all who look', () => {
  let app: TestApp
  let lab: Lab
  let path: string
  let owner: TestUser
  let link: ShareLink
  let page: Page

  beforeAll(async () => {
    const env = {
      IS_ENT: 'true',
      STREAM_FANOUT: 'on',
      STREAM_FANOUT_PORT: String(UDP_PORT),
      STREAM_FANOUT_ADDRESSES: serverSides().join(),
    }
    app = await buildTestApp({ env })
    owner = await aUser(app)
    await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
    const printer = await aPrinter(app, owner)
    path = `/ws/janus/${printer.id}/`
    const links = `/api/v1/printers/${printer.id}/share_links/`
    link = (await call(app, 'POST', links, { cookie: owner.cookie, body: {} })).json
    lab = await startLab({ url: app.url, cookie: owner.cookie, token: printer.auth_token, fansOut: true })
    page = await lab.page()
  })
  afterAll(async () => {
    await lab?.end()
    await app?.close()
  })

  const watch = (name: string, more: object = {}) => watchCamera(page, { name, path, id: H264, ...more })
  const leave = (name: string) =>
    page.evaluate((which) => {
      const { ws, pc } = (window as any).labViews[which]
      ws.close()
      pc?.close()
    }, name)
  const isFresh = async (name: string, frames = 10) =>
    await eventually(
      async () => median((await untilSeen(page, name, frames)).latencies.slice(-10)) < AGE_MS || undefined,
    )
  /** What the printer's Janus was asked so far, in order. */
  const asked = () =>
    lab.machine.events.flatMap(({ kind, message }) =>
      kind === 'received' && 'janus' in message ? [JSON.parse(String(message.janus))] : [],
    )
  const times = (what: string) =>
    asked().filter(({ janus, body }) => (body?.request ?? janus) === what).length

  it('comes from the printer once for four, by the server alone', async () => {
    const before = await lab.net.sent()
    for (const name of ['one', 'two', 'three']) await watch(name)
    await watch('guest', { path: `/ws/share_token/janus/${link.share_token}/` })
    for (const name of ['one', 'two', 'three', 'guest']) expect(await isFresh(name)).toBe(true)
    expect(times('watch')).toBe(1)
    const after = await lab.net.sent()
    const uplink = after.toServer - before.toServer
    expect(after.fromServer - before.fromServer).toBeGreaterThan(2 * uplink)
    expect(after.toViewer - before.toViewer).toBeLessThan(uplink / 2)
    const offers = await page.evaluate(() =>
      Object.values((window as any).labViews).map(({ pc }: any) => pc.remoteDescription.sdp as string),
    )
    for (const sdp of offers) {
      const candidates = sdp.split('\r\n').filter((line) => line.startsWith('a=candidate:'))
      expect(candidates.map((line) => line.split(' ').slice(4, 6))).toEqual(
        serverSides().map((address) => [address, String(UDP_PORT)]),
      )
      expect(sdp).not.toContain(PRINTER_SIDE)
    }
    // One who goes takes nothing from the others; when all have gone, nothing is left at the printer.
    await leave('one')
    const { frames } = await look(page, 'two')
    await untilSeen(page, 'two', frames + 10)
    expect(times('destroy')).toBe(0)
    for (const name of ['two', 'three', 'guest']) await leave(name)
    await eventually(() => times('destroy') === 1 || undefined)
  })

  it('comes picture by picture, too', async () => {
    await watch('mjpeg', { id: MJPEG, isMjpeg: true })
    expect(await isFresh('mjpeg')).toBe(true)
    await leave('mjpeg')
  })

  it('rests when the plan’s time is up, and then does not come from the printer either', async () => {
    await setPlan(app.ctx, { email: owner.email, plan: 'free' })
    await watch('free')
    await untilSeen(page, 'free', 5)
    app.advance(32_000)
    await eventually(() => times('destroy') === times('create') || undefined)
    await leave('free')
    await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
  })

  it('is there again after the process that carries it has fallen, and after the agent', async () => {
    await watch('before')
    expect(await isFresh('before')).toBe(true)
    const { stdout } = await run('pgrep', ['-P', String(process.pid), '-f', 'sfu.child'])
    process.kill(Number(stdout), 'SIGSEGV')
    await eventually(() => times('destroy') === times('create') || undefined)
    await eventually(async () => (await look(page, 'before')).closed ?? undefined)
    const again = async (name: string) =>
      await eventually(async () => {
        await watch(name)
        const { closed } = await eventually(async () => {
          const seen = await look(page, name)
          return seen.closed !== null || seen.frames > 0 ? seen : undefined
        })
        return closed === null || undefined
      })
    await again('after')
    await lab.machine.restartAgent(1)
    await eventually(async () => ((await look(page, 'after')).closed === 4404 ? true : undefined))
    await again('last')
    expect(await isFresh('last', 5)).toBe(true)
  })
})
