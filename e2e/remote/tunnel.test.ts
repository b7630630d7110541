import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { aPerson, complaintsBut, OWNER } from '../support.ts'

const workshop = aWorkshop({ env: { OCTOPRINT_TUNNEL_PORT_RANGE: '29370-29376' } })
const APPS = '/user_preferences/authorized_apps/'
/** The simulated printer's page asks for an icon that it does not have. */
const ITS_OWN = /favicon|status of 404/

const framed = (page: Page) => page.frameLocator('iframe').locator('body')

test('a printer’s own page opens from its card and its page, framed, and comes back by itself', async () => {
  const { page } = workshop.owner
  workshop.evidence('tunnel-viewer')
  const ender = await workshop.linked('Ender', { flavour: 'octoprint' })
  await workshop.linked('Voron', { flavour: 'klipper' })
  await page.goto(workshop.at('/printers/'))
  await page.getByRole('link', { name: 'Open OctoPrint of Ender' }).click()
  await framed(page).getByText('OctoPrint').first().waitFor()
  expect(page.url()).toBe(workshop.at(`/tunnels/${ender.id}/`))
  expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('top-navigation')

  // It may be slow: said until somebody has had enough of it.
  await page.getByLabel("Don't show this again").check()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Load OctoPrint again' }).click()
  await framed(page).getByText('OctoPrint').first().waitFor()
  expect(await page.getByText('This may take a moment').count()).toBe(0)

  // The agent goes: what is open stays, and that is said; opened anew, the page waits for it.
  await ender.machine.stop()
  await page.getByText('tries again by itself').waitFor()
  await page.getByRole('link', { name: 'Back to Ender' }).click()
  await page.getByRole('heading', { name: 'Ender' }).waitFor()
  await page.goto(workshop.at('/printers/'))
  await page.getByRole('link', { name: 'Open Mainsail / Fluidd of Voron' }).click()
  await framed(page).first().waitFor()
  expect(complaintsBut(workshop.owner, ITS_OWN)).toEqual([])
})

test('how much of the month is used is shown where there is a cap, in Chinese on a phone', async () => {
  const ender = await workshop.linked('Ender', { flavour: 'octoprint' })
  const { person, page, say } = await workshop.ownerAt(LOOKS.octoprintPhone, 'tunnel-usage')
  let total = 264_500_000
  await page.route('**/api/v1/tunnelusage/', (route) =>
    route.fulfill({ json: { total, monthly_cap: 314_572_800, reset_in_seconds: 9 * 86_400 } }),
  )
  await page.goto(workshop.at(`/tunnel/${ender.id}/`))
  await framed(page).first().waitFor()
  const percent = say('tunnels:usage.percent', { value: 84 })
  await page.getByRole('button', { name: say('tunnels:usage.open', { percent }) }).click()
  await page.getByText(/300\W+MB/).waitFor()
  await page.getByRole('button', { name: say('tunnels:usage.close') }).click()
  total = 347_000_000
  await page.reload()
  await page.getByRole('heading', { name: say('tunnels:overCap.title') }).waitFor()
  expect(complaintsBut(person, ITS_OWN)).toEqual([])
  await person.close()
})

test('an app is let in by its owner, reaches the printer’s page, and is shut out', async () => {
  const { linked, at } = workshop
  await linked('Ender', { flavour: 'octoprint' })
  const visitor = await aPerson({ viewport: { width: 390, height: 844 } })
  workshop.evidence('tunnel-ask', visitor)
  const { page } = visitor
  const ask = '/tunnels/new/?app=OctoApp&platform=octoprint'
  await page.goto(at(`${ask}&success_redirect_url=${encodeURIComponent('javascript:alert(1)')}`))
  await page.getByRole('heading', { name: 'This request cannot be answered' }).waitFor()
  await page.goto(at(ask))
  await page.getByRole('link', { name: 'SIGN IN' }).click()
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(wordsIn('en')('first-layer:choose')).waitFor()
  expect(await page.getByRole('button', { name: 'Authorize' }).isDisabled()).toBe(true)
  await page.getByRole('radio', { name: /Ender/ }).last().check()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.waitForURL(/\/tunnels\/succeeded\/\?tunnel_endpoint=http:\/\/[0-9a-f]{64}:[0-9a-f]{64}@/)
  await page.getByRole('heading', { name: 'Authorization Successful' }).waitFor()

  const endpoint = new URL(page.url().split('tunnel_endpoint=')[1] ?? '')
  const authorization = `Basic ${btoa(`${endpoint.username}:${endpoint.password}`)}`
  const version = () => fetch(new URL('/api/version', endpoint.origin), { headers: { authorization } })
  expect(await (await version()).json()).toMatchObject({ text: 'OctoPrint 1.11.3' })
  expect((await fetch(new URL('/api/version', endpoint.origin))).status).toBe(401)

  await page.goto(at(APPS))
  await page.getByText('Used').first().waitFor()
  await page.getByRole('button', { name: 'Revoke OctoApp' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No app was let in.').waitFor()
  expect((await version()).status).toBe(401)
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})
