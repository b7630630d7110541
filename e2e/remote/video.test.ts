import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimulatedPrinter, SimulatorOptions } from '@vigil/simulator/index.ts'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { FIELD, FIELDS } from '../lab/camera.ts'
import { bend, drawnAt, endedCredential, pairOf, prepare, saidByData } from '../lab/ice.ts'
import { type BareLab, openLab } from '../lab/lab.ts'
import { FRONT, H264, RELAY, TIP } from '../lab/media.ts'
import { whyNoLab } from '../lab/net.ts'
import { type Seen, untilSeen, watchCamera } from '../lab/watch.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { takePro } from '../plans.ts'
import { inSuite } from '../../scripts/suites.ts'
import { complaintsBut, until } from '../support.ts'

const isCi = process.env['CI'] === 'true' || process.env['CI'] === '1'
const why = await whyNoLab()
if (why !== null) console.log(`No video is played in these tests: ${why}.`)
it.runIf(why !== null && isCi)('CI can make networks of its own', () => expect(why).toBeNull())

/** Loose, as machines of tests are busy: figures are bench/video.ts's. */
const AGE_MS = 3_000
/** Each picture is drawn, encoded, decoded and painted by this machine. */
const FPS = inSuite(5, 10)
/** A page that fell tries again later and later: on a busy machine it may be the third time. */
const PATIENCE_MS = 90_000
const say = wordsIn('en')
const LIVE = say('video:live')
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Infinity

describe.skipIf(why !== null)(
  'video of a real Janus, on the pages of a real browser',
  { timeout: 240_000 },
  () => {
    let lab: BareLab
    let stills: string
    const workshop = aWorkshop({
      env: { ...RELAY, IS_ENT: 'true' },
      profile: { viewport: { width: 1024, height: 640 } },
      machinesStay: true,
      browserAt: async (address) => {
        lab = await openLab(address, { fps: FPS })
        return lab.browser
      },
    })
    let page: Page
    let picture: Locator
    let printerId: number
    let machine: SimulatedPrinter

    beforeAll(async () => {
      ;({ page } = workshop.owner)
      await prepare(page)
      stills = await mkdtemp(join(tmpdir(), 'vigil-stills-'))
      const still = sharp({ create: { width: 640, height: 480, channels: 3, background: '#557' } }).jpeg()
      await writeFile(join(stills, '1.jpg'), await still.toBuffer())
      ;({ id: printerId, machine } = await aPrinter('Voron', [FRONT, TIP]))
      await open(printerId)
    })
    afterAll(async () => {
      await lab?.end()
      await rm(stills, { recursive: true, force: true })
    })

    const aPrinter = (
      name: string,
      webcams: Record<string, unknown>[],
      { agentVersion, ...more }: Partial<SimulatorOptions> & { agentVersion?: string } = {},
    ) => {
      const janus = {
        address: lab.janus,
        webcams,
        dataChannelId: H264,
        ...(agentVersion && { agentVersion }),
      }
      return workshop.linked(name, { timeScale: 5, pictures: stills, janus, ...more })
    }

    async function open(id: number): Promise<void> {
      await page.goto(workshop.at(`/printers/${id}/control/`))
      picture = page.locator('main [data-picture]').first()
    }
    const live = () => picture.getByText(LIVE, { exact: true })
    /** What moves is now, not what was called so. */
    async function isNow(kind: 'video' | 'canvas' = 'video'): Promise<void> {
      await live().waitFor({ timeout: PATIENCE_MS })
      await until(async () => Date.now() - (await drawnAt(picture.locator(kind))) < AGE_MS, 'now')
    }
    /** A picture is there, whatever else is. */
    const isSeen = () => picture.locator('img, video, canvas').first().waitFor()
    const press = (name: string) => picture.getByRole('button', { name, exact: true }).click()
    /** Leaves off, and begins as one who has just come. */
    async function anew(): Promise<void> {
      await press(say('video:stop'))
      await press(say('video:play'))
    }
    async function told(title: string, text: string): Promise<void> {
      await picture.getByRole('button', { name: title }).click({ timeout: PATIENCE_MS })
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByText(text).waitFor()
      await dialog.getByRole('button', { name: say('common:close') }).click()
    }

    it('plays at once, with its figures; a status comes the same way, and what is said goes it, too', async () => {
      workshop.evidence('video')
      await isSeen()
      await isNow()
      expect(await pairOf(page)).toMatch(/^(host|prflx|srflx) udp$/)
      await picture.getByText(/fps · .*bit\/s/).waitFor()
      const hot = { extruder: { actual: 123.4, target: 0 } }
      await until(async () => {
        lab.tell({ status: { _ts: Date.now() / 1000 + 30, temperatures: hot } })
        return page.getByText('123.4').first().isVisible()
      }, 'a status over the data channel')
      const from = Date.now()
      await page.getByRole('button', { name: say('toolhead:jog.homeAll') }).click()
      const heard = await machine.waitFor(
        ({ kind, message }) => kind === 'received' && JSON.stringify(message).includes('"home"'),
        { from },
      )
      const { ref } = (heard.message as { passthru: { ref: string } }).passthru
      expect((await saidByData(page)).filter((one) => one.includes(ref))).toHaveLength(1)
    })

    it('plays for four at once; the sessions of one who vanishes are ended', async () => {
      workshop.evidence('video-four')
      const other = await page.context().newPage()
      await other.goto(workshop.at('/api/v1/'))
      const path = `/ws/janus/${printerId}/`
      for (const name of ['two', 'three', 'four']) await watchCamera(other, { name, path, id: H264 })
      const ids: unknown[] = []
      for (const name of ['two', 'three', 'four']) {
        const seen: Seen = await untilSeen(other, name, 5)
        expect(median(seen.latencies)).toBeLessThan(AGE_MS)
        ids.push(seen.sessionId)
      }
      await other.close()
      for (const id of ids)
        await machine.waitFor(({ kind, message }) => {
          const said = kind === 'received' && 'janus' in message ? String(message.janus) : ''
          return said.includes('"destroy"') && said.includes(String(id))
        })
      await isNow()
    })

    it('plays over a relay where there is no other way, by UDP or TCP, and says when it comes late', async () => {
      workshop.evidence('video-relay')
      await lab.net.blockDirect()
      // Where all are busy TCP is there sooner now and then.
      const byUdp = async () => {
        await anew()
        await isNow()
        return (await pairOf(page)) === 'relay udp'
      }
      await until(byUdp, 'a relay by UDP', PATIENCE_MS)
      await lab.net.blockUdp()
      await anew()
      await isNow()
      expect(await pairOf(page)).toBe('relay tcp')
      await lab.net.mend()
      await bend(page, { slow: true })
      await anew()
      await isNow()
      lab.delay(250)
      await picture.getByText(say('video:late'), { exact: true }).waitFor({ timeout: PATIENCE_MS })
      lab.delay(0)
      await isNow()
      await bend(page, {})
    })

    it('goes on though packets are lost, and says so; what stands still is not called live', async () => {
      workshop.evidence('video-loss')
      await lab.net.lose(2)
      await anew()
      await isNow()
      await lab.net.mend()
      await lab.net.lose(5)
      lab.camera.isNoisy = true
      await told(say('catalogue:slowLink'), say('catalogue:slowLinkText'))
      await isNow()
      lab.camera.isNoisy = false
      await lab.net.mend()
      await lab.net.stopCameras()
      await told(say('catalogue:buffering'), say('catalogue:bufferingText'))
      expect(await live().count()).toBe(0)
      await page.getByText(say('video:why.stills.camera')).waitFor()
      await isSeen()
      await lab.net.mend()
      await page.getByRole('button', { name: say('video:again') }).click()
      await isNow()
    })

    it('shows a still where there is no video, says why, and plays again', async () => {
      workshop.evidence('video-why')
      const { net } = lab
      const spoilt = [
        { spoil: () => net.blockUdp().then(() => net.blockRelay()), why: 'udp' },
        { spoil: () => net.blockDirect(), bent: { credential: endedCredential() }, why: 'udp' },
        { spoil: () => net.narrow('300kbit'), isNoisy: true, why: 'uplink' },
        { spoil: () => net.narrow('1mbit'), isNoisy: true, why: 'uplink' },
        { spoil: () => net.stopCameras(), why: 'camera' },
      ]
      const isFirst = ({ why: reason }: (typeof spoilt)[number], at: number) =>
        spoilt.findIndex((one) => one.why === reason) === at
      // In the gate each reason once.
      const tried = inSuite(spoilt.filter(isFirst), spoilt)
      for (const { spoil, why: reason, bent = {}, isNoisy = false } of tried) {
        lab.camera.isNoisy = isNoisy
        await bend(page, bent)
        await spoil()
        await anew()
        await isSeen()
        await page.getByText(say(`video:why.stills.${reason}`)).waitFor({ timeout: PATIENCE_MS })
        await picture.locator('img').waitFor()
        lab.camera.isNoisy = false
        await bend(page, {})
        await net.mend()
        await page.getByRole('button', { name: say('video:again') }).click()
        await isNow()
      }
    })

    it('comes back by itself when the agent was away', async () => {
      workshop.evidence('video-agent')
      await machine.restartAgent(1)
      await live().waitFor({ state: 'hidden' })
      await isNow()
    })

    it('comes back by itself when the server was away', async () => {
      workshop.evidence('video-restart')
      workshop.vigil.restart()
      await live().waitFor({ state: 'hidden' })
      await isNow()
    })

    it('of the nozzle comes picture by picture; it is kept as a file as it is seen, stopped and played by keys', async () => {
      workshop.evidence('video-nozzle')
      await page.getByRole('combobox', { name: say('camera:which') }).selectOption(TIP.name)
      await isNow('canvas')
      const download = page.waitForEvent('download')
      await page.keyboard.press('s')
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^Voron \d{4}-.*\.jpg$/)
      const kept = await sharp(await file.path())
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(kept.info).toMatchObject({ width: 480, height: 640 })
      // Turned about its upright axis, then clockwise: its upper edge is the right one, and begins below.
      const at = (field: number) => kept.data[(640 - FIELD * field - 6) * 480 + 480 - 16] ?? 0
      const bits = Array.from({ length: FIELDS }, (_, field) => (at(field) > 127 ? '1' : '0')).join('')
      expect(Math.abs(Date.now() - parseInt(bits, 2))).toBeLessThan(30_000)
      await page.keyboard.press('k')
      await picture.getByRole('button', { name: say('video:play') }).waitFor()
      expect(await live().count()).toBe(0)
      await page.reload()
      await isNow('canvas')
      await page.getByRole('combobox', { name: say('camera:which') }).selectOption(say('camera:all'))
      await isNow()
    })

    it('is in a window of its own, and over the whole screen; it rests while nobody looks', async () => {
      workshop.evidence('video-window')
      await page.keyboard.press('i')
      await until(() => page.evaluate(() => document.pictureInPictureElement !== null), 'a window')
      await page.keyboard.press('i')
      await until(() => page.evaluate(() => document.pictureInPictureElement === null), 'no window')
      await page.keyboard.press('f')
      await until(() => page.evaluate(() => document.fullscreenElement !== null), 'the whole screen')
      await page.keyboard.press('f')
      // Pages of tests all have the focus unless they are told to share it.
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false })
      const other = await page.context().newPage()
      await other.bringToFront()
      await live().waitFor({ state: 'hidden' })
      await other.close()
      await page.bringToFront()
      await isNow()
      expect(complaintsBut(workshop.owner, /WebSocket|ERR_|Failed to load/)).toEqual([])
    })

    it('is seen by whoever has the link, two in a row', async () => {
      const token = await page.evaluate(async (printer_id) => {
        const answer = await fetch('/api/v1/sharedresources/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ printer_id }),
        })
        return ((await answer.json()) as { share_token: string }[])[0]!.share_token
      }, printerId)
      const other = await workshop.ownerAt(LOOKS.octoprintNight, 'video-shared')
      await other.page.goto(workshop.at(`/printers/share_token/${token}/`))
      const lives = other.page.getByText(other.say('video:live'), { exact: true })
      await lives.nth(1).waitFor()
      const places = await other.page.locator('[data-picture]').all()
      const [one, two] = await Promise.all(places.map((place) => place.boundingBox()))
      expect(one?.y).toBe(two?.y)
      expect(one?.x).not.toBe(two?.x)
      expect(complaintsBut(other.person)).toEqual([])
      await other.person.close()
    })

    it('plays on the list by itself; agents of old are understood, or what they lack is said', async () => {
      workshop.evidence('video-old')
      const octoprint = { flavour: 'octoprint' } as const
      const [old, older, mute] = await Promise.all([
        aPrinter('Ender', [{ name: 'Front', is_primary_camera: true }], octoprint),
        aPrinter('Prusa', [FRONT], { ...octoprint, agentVersion: '2.0.9' }),
        workshop.linked('Mute', { timeScale: 5, pictures: stills }),
      ])
      // Only what is in sight is played: all cards are.
      await page.setViewportSize({ width: 1440, height: 1_300 })
      await page.goto(workshop.at('/printers/'))
      const card = page.getByRole('article').filter({ hasText: 'Voron' })
      await card.getByText(LIVE, { exact: true }).waitFor({ timeout: PATIENCE_MS })
      await open(old.id)
      await isNow()
      await open(mute.id)
      await page.getByText(say('video:why.stills.nobody')).waitFor()
      await picture.locator('img').waitFor()
      const agentOld = say('video:why.stills.agentOld', { octoprint: '2.1.0', klipper: '0.3.0' })
      await open(older.id)
      await page.getByText(agentOld).waitFor()
      await picture.locator('img').waitFor()

      // Without Pro it is played for a while, when somebody wants it; also that there is none is said.
      await takePro(workshop.vigil)
      await page.reload()
      await page.getByText(agentOld).waitFor()
      await page.goto(workshop.at('/printers/'))
      const begin = card.getByRole('button', { name: say('video:playFor', { count: 30 }) })
      await begin.waitFor()
      expect(await page.getByText(LIVE, { exact: true }).count()).toBe(0)
      await begin.click()
      await card.getByText(LIVE, { exact: true }).waitFor()
      await card.getByText(/^\d+\W{1,3}s left$/).waitFor()
      await page.evaluate(
        (key) => localStorage.setItem(key, String(Date.now() + 25_000)),
        `tsNextVideoCycle-${printerId}`,
      )
      await open(printerId)
      const rests = picture.getByRole('button', { name: /^Next video in 2\d s$/ })
      await rests.waitFor()
      expect(await rests.isDisabled()).toBe(true)
      expect(complaintsBut(workshop.owner, /WebSocket|ERR_|Failed to load/)).toEqual([])
    })
  },
)
