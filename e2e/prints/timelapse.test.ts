import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'

const workshop = aWorkshop()

test('films made elsewhere are sent, looked at and shown with what was found', async () => {
  const { vigil, owner, at } = workshop
  const { page, complaints } = owner
  workshop.evidence('timelapse')
  const film = join(vigil.dataFolder, 'benchy.mp4')
  // the detector looks at each picture
  const source = `mandelbrot=size=320x240:rate=${inSuite(8, 25)}:end_scale=0.3`
  execFileSync(
    'ffmpeg',
    `-v error -f lavfi -i ${source} -t ${inSuite(1, 3)} -pix_fmt yuv420p -y ${film}`.split(' '),
  )
  // Cut off before what says where its pictures are.
  const torn = { name: 'torn.mp4', mimeType: 'video/mp4', buffer: readFileSync(film).subarray(0, 4_000) }
  const noFilm = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no film') }
  const fake = { name: 'fake.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film at all') }

  await page.goto(at('/prints/upload/'))
  expect(page.url()).toBe(at('/ent/timelapse_upload/'))
  await page.getByText('Nothing uploaded yet.').waitFor()
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles(film)
  await choose.setInputFiles([noFilm, fake, torn])
  const row = (name: string) => page.getByRole('region', { name })
  await row('notes.txt')
    .getByRole('alert')
    .getByText('*.mp4 or *.mpg files only. Up to 100MB each.')
    .waitFor()
  await row('benchy.mp4').getByLabel('Minutes that benchy.mp4 printed').fill('20')
  await page.getByRole('button', { name: 'Upload 3 videos' }).click()
  await row('fake.mp4').getByRole('alert').getByText('*.mp4 or *.mpg files only. Up to 100MB each.').waitFor()
  await row('benchy.mp4').getByText('Sent.').waitFor()
  await page.getByText('Failure detection is running on your time-lapse.').first().waitFor()

  const analysis = page.getByRole('region', { name: 'Your analyses' })
  await analysis.getByText(/\d+ issues? detected|No issues detected/).waitFor()
  await analysis.getByRole('slider').waitFor()
  const video = analysis.locator('video').first()
  await video.waitFor()

  // What can't be read says why, there and on its own page.
  await page.getByText("This video can't be read. Is it damaged?").waitFor()
  await page.getByRole('link', { name: 'Go to your prints' }).first().click()
  await page.getByRole('link', { name: 'torn.mp4' }).first().click()
  await page.getByRole('heading', { name: 'Time-lapse not available' }).waitFor()
  await page.getByText("This video can't be read. Is it damaged?").waitFor()
  // A refused answer is no fault of the page.
  expect(complaints.filter((one) => !one.includes('415'))).toEqual([])
}, 120_000)
