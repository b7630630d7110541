import { expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aFailedPrint, inside } from '../filmed.ts'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, until } from '../support.ts'
import { asId } from '../../server/test/ids.ts'

const workshop = aWorkshop()
const PICTURES = inSuite(6, 12)

test('an owner tries other settings on a print that failed, has today’s detector look, and keeps what helps', async () => {
  const { vigil, owner, at } = workshop
  const { page } = owner
  workshop.evidence('replay')
  const { id: printerId } = await addPrinter(page, 'Ender')
  const printId = await aFailedPrint(vigil, printerId, PICTURES)
  await page.goto(at(`/prints/${printId}/`))
  await page.getByRole('link', { name: 'Open the replay' }).click()
  const row = (name: string) => page.getByRole('row', { name })
  await row('Then')
    .getByRole('button', { name: /^11\smin$/ })
    .first()
    .waitFor()
  await row('Now').getByRole('button').first().waitFor()
  const chart = page.getByRole('slider', { name: 'Moment of the print' })
  await chart.focus()
  await page.keyboard.press('Home')
  await page.getByText(/^At 0\ss: then 5, now \d/).waitFor()

  await page.getByRole('button', { name: 'New zone', exact: true }).click()
  await page.getByRole('button', { name: 'New zone, ready made' }).click()
  await until(
    async () => (await row('Now').textContent())?.includes('not at allnot at all'),
    'nothing is hot outside of the zone',
  )
  const sensitivity = page.getByRole('slider', { name: /^Sensitivity/ })
  await sensitivity.focus()
  await page.keyboard.press('End')

  await page.getByRole('button', { name: `Look at ${PICTURES} pictures again` }).click()
  await page.getByText(new RegExp(`^${PICTURES} pictures were looked at by `)).waitFor({ timeout: 90_000 })
  await page.getByText('Of today’s detector'.replace('’', "'")).click()
  await page.getByText(/^Now is judged over what today's detector says/).waitFor()

  await page.getByRole('button', { name: 'Use for Ender' }).click()
  await page.getByRole('button', { name: 'Use these settings' }).click()
  await page.getByText('The printer is set so already.').waitFor()
  const kept = await page.evaluate(async (id) => {
    const read = async (path: string) => (await (await fetch(path)).json()) as Record<string, unknown>
    const printer = await read(`/api/v1/printers/${id}/`)
    return [printer['detective_sensitivity'], (await read(`/api/v1/printers/${id}/ignore_zones/`))['zones']]
  }, printerId)
  expect(kept).toEqual([1.2, [expect.arrayContaining([{ x: 0.35, y: 0.35 }])]])

  await inside(vigil, (db) => db.deleteFrom('frames').where('printId', '=', asId(printId)).execute())
  await page.reload()
  await page.getByText('The pictures of this print are no longer stored.', { exact: false }).waitFor()
  await page.getByRole('switch', { name: 'Leave out the printer’s zones'.replace('’', "'") }).waitFor()
  await row('Now').getByText('not at all').first().waitFor()
  expect(owner.complaints).toEqual([])
}, 240_000)
