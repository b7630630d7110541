import { afterAll, beforeAll, expect, test } from 'vitest'
import { aWorkshop } from './fixture.ts'
import { type RealGateway, startGateway } from './gateway.ts'
import { LOOKS, wordsIn } from './looks.ts'
import { complaintsBut, until } from './support.ts'

const workshop = aWorkshop({ machinesStay: true })
const say = wordsIn('en')
let gateway: RealGateway

beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(async () => await gateway?.stop())

const camera = (more: object) => ({ name: '', is_primary_camera: true, streamRatio: '4:3', ...more })
const FRONT = camera({ name: 'Front', stream_mode: 'h264_transcode', stream_id: 1 })
const NOZZLE = { name: 'Tip', is_nozzle_camera: true, stream_mode: 'mjpeg_webrtc', stream_id: 2 }

async function open(name: string, webcams: object[]) {
  const janus = { address: gateway.address, webcams: webcams as Record<string, unknown>[], dataChannelId: 1 }
  const { id } = await workshop.linked(name, { timeScale: 5, janus })
  const path = `/printers/${id}/control/`
  await workshop.owner.page.goto(workshop.at(path))
  return { id, path, picture: workshop.owner.page.locator('main [data-picture]').first() }
}

let voron: Awaited<ReturnType<typeof open>>

test('a camera plays; what goes wrong is said, and it comes back', async () => {
  workshop.evidence('video')
  const { page } = workshop.owner
  voron = await open('Voron', [FRONT, NOZZLE])
  const { picture } = voron
  await picture.getByText(say('video:live'), { exact: true }).waitFor()
  await picture.getByText(/fps · .*bit\/s/).waitFor()
  const width = () => picture.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth)
  expect(await width()).toBe(320)

  // Its status comes the same way, before the server has it.
  const hot = { extruder: { actual: 123.4, target: 0 } }
  await until(
    async () => {
      gateway.tell({ status: { _ts: Date.now() / 1000 + 30, temperatures: hot } })
      return page.getByText('123.4').first().isVisible()
    },
    20_000,
    'a status over the data channel',
  )

  const told = async (title: string, text: string) => {
    await picture.getByRole('button', { name: title }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByText(text).waitFor()
    await dialog.getByRole('button', { name: say('common:close') }).click()
  }
  gateway.lose(12)
  await told(say('catalogue:slowLink'), say('catalogue:slowLinkText'))
  gateway.lose(100)
  await told(say('catalogue:buffering'), say('catalogue:bufferingText'))
  await page.getByText(say('video:why.stills.camera')).waitFor()
  expect(await picture.getByText(say('video:live'), { exact: true }).count()).toBe(0)
  gateway.lose(0)
  await page.getByRole('button', { name: say('video:again') }).click()
  await picture.getByText(say('video:live'), { exact: true }).waitFor()
})

test('the nozzle camera plays picture by picture; it is kept as a file, stopped and played by keys', async () => {
  workshop.evidence('video-nozzle')
  const { page } = workshop.owner
  const { picture } = voron
  await page.getByRole('combobox', { name: say('camera:which') }).selectOption('Tip')
  await picture.getByText(say('video:live'), { exact: true }).waitFor()
  expect(await picture.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(320)
  const file = page.waitForEvent('download')
  await page.keyboard.press('s')
  expect((await file).suggestedFilename()).toMatch(/^Voron \d{4}-.*\.jpg$/)
  await page.keyboard.press('k')
  await picture.getByRole('button', { name: say('video:play') }).waitFor()
  expect(await picture.getByText(say('video:live'), { exact: true }).count()).toBe(0)
  await page.keyboard.press('k')
  await picture.getByText(say('video:live'), { exact: true }).waitFor()
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('whoever has the link sees it, and so does the list; where no video answers, that is said', async () => {
  const { page } = workshop.owner
  const token = await page.evaluate(async (printer_id) => {
    const answer = await fetch('/api/v1/sharedresources/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ printer_id }),
    })
    return ((await answer.json()) as { share_token: string }[])[0]!.share_token
  }, voron.id)
  const other = await workshop.ownerAt(LOOKS.klipperPhone, 'video-shared')
  await other.page.goto(workshop.at(`/printers/share_token/${token}/`))
  await other.page.getByText(other.say('video:live'), { exact: true }).nth(1).waitFor()
  workshop.evidence('video-list')
  await workshop.linked('Ender', { timeScale: 5 })
  await page.goto(workshop.at('/printers/'))
  await page.getByRole('article').getByText(say('video:live'), { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Ender', exact: true }).click()
  await page.getByText(say('video:why.stills.nobody')).waitFor()
  expect(complaintsBut(workshop.owner)).toEqual([])
  expect(complaintsBut(other.person)).toEqual([])
})
