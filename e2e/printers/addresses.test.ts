import { expect, test } from 'vitest'
import { outwardAddresses } from '../../server/lib/interfaces.ts'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { addPrinter, complaintsBut, touchSwitch } from '../support.ts'

const PUBLIC_URL = 'https://vigil.example.org'
const workshop = aWorkshop({ env: { PUBLIC_URL, HOST: '0.0.0.0' } })

test('a page that is open at localhost gives others an address that leads here', async () => {
  workshop.evidence('addresses')
  const { page } = workshop.owner
  const { port } = new URL(workshop.vigil.address)
  expect(new URL(workshop.vigil.address).hostname).toBe('localhost')

  await page.goto(workshop.at('/printers/wizard/guide/klipper-generic/'))
  await page.getByRole('note').getByText(`This page is open at localhost:${port}`).waitFor()
  const command = page.locator('code')
  expect(await command.innerText()).toContain(`install.sh -S ${PUBLIC_URL}`)
  const offered = await page.getByLabel('Address to use').locator('option').allInnerTexts()
  expect(offered).toEqual([
    PUBLIC_URL,
    ...outwardAddresses().map((host) => `http://${host}:${port}`),
    `http://localhost:${port} (this machine only)`,
  ])
  await page.getByLabel('Address to use').selectOption(`http://localhost:${port}`)
  expect(await command.innerText()).toContain(`install.sh -S http://localhost:${port}`)

  await page.goto(workshop.at('/printers/wizard/link/klipper-generic/'))
  await page.getByRole('note').waitFor()
  const code = page.getByRole('img', { name: 'QR code of this page' }).locator('path')
  const drawn = await code.getAttribute('d')
  await page.getByLabel('Address to use').selectOption({ index: offered.length - 1 })
  expect(await code.getAttribute('d')).not.toBe(drawn)
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('a share link leads to whom it is sent: Chinese, dark, on a phone', async () => {
  const { id } = await addPrinter(workshop.owner.page, 'Voron')
  const { person, page, say } = await workshop.ownerAt(LOOKS.klipperPhone, 'addresses-share')
  await page.goto(workshop.at(`/printers/${id}/control/`))
  await page.getByRole('button', { name: say('sharing:buttonOf', { name: 'Voron' }) }).click()
  await touchSwitch(page.getByRole('switch', { name: say('sharing:share') }))
  const link = page.getByRole('textbox', { name: say('sharing:address', { label: say('sharing:default') }) })
  await page.getByRole('note').waitFor()
  expect(await link.inputValue()).toMatch(`${PUBLIC_URL}/printers/share_token/`)
  expect(complaintsBut(person)).toEqual([])
})

test('help is there for everyone, in the shell for who is signed in', async () => {
  workshop.evidence('help')
  const { page } = workshop.owner
  await page.goto(workshop.at('/printers/'))
  await page.getByRole('link', { name: 'Help' }).click()
  await page.getByRole('heading', { name: 'Help' }).waitFor()
  await page.getByRole('link', { name: 'Where to ask' }).click()
  await page.waitForURL('**/help/#support')
  expect(await page.getByRole('heading', { name: 'Where to ask' }).isVisible()).toBe(true)
  expect(await page.getByText('{{').count()).toBe(0)
  expect(complaintsBut(workshop.owner)).toEqual([])

  const guest = await page.context().browser()!.newContext()
  const visitor = await guest.newPage()
  await visitor.goto(workshop.at('/help/#share'))
  await visitor.getByRole('heading', { name: 'Share a camera' }).waitFor()
  await visitor.getByRole('link', { name: 'Sign in' }).waitFor()
  await guest.close()
})
