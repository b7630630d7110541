import { beforeAll, expect, test } from 'vitest'
import { askAbout } from '../asked.ts'
import { aFailedPrint, inside } from '../filmed.ts'
import { aWorkshop } from '../fixture.ts'
import { lookThrough } from '../look.ts'
import { aPrintedOne, aScene } from '../printed.ts'
import { printScreens } from '../print-screens.ts'
import { complaintsBut } from '../support.ts'
import { asId } from '../../server/test/ids.ts'

const workshop = aWorkshop({ env: { IS_ENT: 'true' }, machinesStay: true })
let screens: ReturnType<typeof printScreens>

beforeAll(async () => {
  const { vigil, owner } = workshop
  const { id: printerId } = await workshop.linked('Voron in the cellar', { speed: 1, print: true })
  const print = await aPrintedOne(vigil, printerId, await aScene())
  await askAbout(vigil, print, { shots: 3, layers: 2 })
  const replayed = await aFailedPrint(vigil, printerId, 12)
  const link = await owner.page.evaluate(async (id) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ creator_name: 'Maker of things', consent: true })
    await fetch(`/api/v1/prints/${id}/gallery/`, { method: 'PUT', headers, body })
    const answer = await fetch(`/api/v1/prints/${id}/link/`, { method: 'PUT' })
    return ((await answer.json()) as { url: string }).url
  }, print)
  await owner.page.goto(workshop.at(`/printers/${printerId}/control/`))
  await owner.page.getByRole('button', { name: 'Pause' }).waitFor()
  const running = await inside(vigil, async (db) => {
    const { currentPrintId } = await db
      .selectFrom('printers')
      .select('currentPrintId')
      .where('id', '=', asId(printerId))
      .executeTakeFirstOrThrow()
    return currentPrintId
  })
  const token = new URL(link).pathname.split('/').at(-2) ?? ''
  screens = printScreens({ print, replayed, running: Number(running), link: token })
})

test('nothing to complain about on a desk and a phone, light and dark', { timeout: 900_000 }, async () => {
  workshop.evidence('look-prints')
  expect(await lookThrough(workshop.owner, workshop.at, screens)).toEqual([])
  expect(complaintsBut(workshop.owner)).toEqual([])
})
