import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../server/test/wire/agent.ts'
import { aPrinter, aUser, buildTestApp, type TestApp } from '../server/test/app.ts'
import { type Lab, startLab } from './lab/lab.ts'
import { H264, MJPEG, RELAY } from './lab/media.ts'
import { whyNoLab } from './lab/net.ts'
import { look, type Seen, untilSeen, watchCamera } from './lab/watch.ts'

const isCi = process.env['CI'] === 'true' || process.env['CI'] === '1'
const why = await whyNoLab()
if (why !== null) console.log(`No video is played in these tests: ${why}.`)
it.runIf(why !== null && isCi)('CI can make networks of its own', () => expect(why).toBeNull())

/** Loose, as machines of tests are busy: figures are bench/video.ts's. */
const AGE_MS = 3_000
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Infinity

describe.skipIf(why !== null)('video of a real Janus, in a real browser', () => {
  let app: TestApp
  let lab: Lab
  let path: string
  let page: Page

  beforeAll(async () => {
    app = await buildTestApp({ env: RELAY })
    const owner = await aUser(app)
    const printer = await aPrinter(app, owner)
    path = `/ws/janus/${printer.id}/`
    lab = await startLab({ url: app.url, cookie: owner.cookie, token: printer.auth_token })
    page = await lab.page()
  })
  afterAll(async () => {
    await lab?.end()
    await app?.close()
  })
  afterEach(() => lab.net.mend())

  const watch = (name: string, more: object = {}) => watchCamera(page, { name, path, id: H264, ...more })
  /** Leaves a camera, so that the next one has the machine. */
  const leave = (name: string) =>
    page.evaluate((which) => {
      const { ws, pc } = (window as any).labViews[which]
      ws.close()
      pc?.close()
    }, name)
  const isFresh = ({ latencies }: Seen) => median(latencies) < AGE_MS

  it('plays for one viewer and for four', async () => {
    await watch('one')
    const first = await untilSeen(page, 'one', 10)
    expect(first.pair).toMatch(/^(host|prflx|srflx) udp$/)
    expect(isFresh(first)).toBe(true)
    for (const name of ['two', 'three', 'four']) await watch(name)
    for (const name of ['two', 'three', 'four']) expect(isFresh(await untilSeen(page, name, 10))).toBe(true)
    for (const name of ['one', 'two', 'three', 'four']) await leave(name)
  })

  it('plays pictures of the data channel', async () => {
    await watch('mjpeg', { id: MJPEG, isMjpeg: true })
    expect(isFresh(await untilSeen(page, 'mjpeg', 10))).toBe(true)
    await leave('mjpeg')
  })

  it('plays by the relay alone; not with a password that has ended', async () => {
    await watch('relay', { relayOnly: true })
    expect((await untilSeen(page, 'relay', 10)).pair).toMatch(/^relay/)
    await leave('relay')
    app.setClock(-3 * 3_600_000)
    await watch('late', { relayOnly: true })
    await eventually(async () => (await look(page, 'late')).iceErrors.includes(401) || undefined)
    app.setClock(3 * 3_600_000)
    expect((await look(page, 'late')).frames).toBe(0)
    await leave('late')
  })

  it('plays over TCP where UDP is blocked', async () => {
    await lab.net.blockUdp()
    await watch('tcp')
    expect((await untilSeen(page, 'tcp', 10)).pair).toBe('relay tcp')
    await leave('tcp')
  })

  it('of a viewer who vanishes is ended at the Janus; an agent that restarts plays again', async () => {
    const other = await lab.page()
    await watchCamera(other, { name: 'gone', path, id: H264 })
    const { sessionId } = await untilSeen(other, 'gone', 1)
    await other.context().close()
    const said =
      (kind: string, words: RegExp) =>
      ({ kind: one, message }: { kind: string; message: object }) =>
        one === kind && 'janus' in message && words.test(String(message.janus))
    await lab.machine.waitFor(
      said('received', new RegExp(`"destroy".*${sessionId}|${sessionId}.*"destroy"`)),
      20_000,
    )

    await watch('before')
    await untilSeen(page, 'before', 1)
    await lab.machine.restartAgent(1)
    await eventually(async () => ((await look(page, 'before')).closed === 4404 ? true : undefined))
    await leave('before')
    await eventually(async () => {
      await watch('after')
      const { closed } = await eventually(async () => {
        const seen = await look(page, 'after')
        return seen.closed !== null || seen.frames > 0 ? seen : undefined
      })
      return closed === null || undefined
    })
    expect(isFresh(await untilSeen(page, 'after', 5))).toBe(true)
  })
})
