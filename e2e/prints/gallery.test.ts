import { expect, test } from 'vitest'
import { aFilm, filmedPrints } from '../filmed.ts'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, aPerson, complaintsBut, until } from '../support.ts'

// A server of its own: what is on the public shelf is remembered there for a while, accounts or not.
const workshop = aWorkshop({ env: { IS_ENT: 'true', LOG_LEVEL: 'info' } })
const MARKUP = '<b>Ada</b> & co'

test('an owner offers a time-lapse, an administrator accepts it, a stranger sees it until it is withdrawn', async () => {
  const { vigil, owner, at } = workshop
  const { page } = owner
  workshop.evidence('gallery')
  const { id: printerId } = await addPrinter(page, 'Secret printer')
  const prints = await filmedPrints(vigil, printerId, 8, await aFilm())
  const offering = (id: number, method: string, body?: object) =>
    page.evaluate(
      async ([path, how, said]) => {
        const headers = { 'Content-Type': 'application/json' }
        const answer = await fetch(path, { method: how, headers, ...(said && { body: said }) })
        if (!answer.ok) throw new Error(await answer.text())
      },
      [`/api/v1/prints/${id}/gallery/`, method, body ? JSON.stringify(body) : ''] as const,
    )

  const stranger = await aPerson()
  workshop.evidence('gallery-stranger', stranger)
  const said: string[] = []
  stranger.page.on('response', (answer) => {
    if (/json|html/.test(answer.headers()['content-type'] ?? ''))
      void answer.text().then(
        (text) => said.push(text),
        () => undefined,
      )
  })
  await stranger.page.goto(at('/publictimelapses/'))
  await stranger.page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  expect(stranger.page.url()).toBe(at('/ent_pub/publictimelapses/'))

  for (const [n, id] of prints.entries())
    if (n > 0) await offering(id, 'PUT', { creator_name: `Maker ${n}`, consent: true })
  await page.goto(at(`/prints/${prints[0]}/`))
  await page.getByRole('button', { name: 'Offer to the gallery…' }).click()
  await page.getByRole('textbox', { name: 'Name of the creator' }).fill(MARKUP)
  await page
    .getByRole('region', { name: 'This is what everybody will see' })
    .getByText(`- By ${MARKUP}`)
    .waitFor()
  const send = page.getByRole('dialog').getByRole('button', { name: 'Offer to the gallery' })
  expect(await send.isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: /^I made this print/ }).check()
  await send.click()
  await page.getByText(`Offered under the name ${MARKUP}.`, { exact: false }).waitFor()
  await page.goto(at('/gallery_moderation/'))
  await page.getByRole('button', { name: `Play the time-lapse by ${MARKUP}` }).click()
  const dialog = page.getByRole('dialog', { name: `- By ${MARKUP}` })
  await dialog.getByRole('slider', { name: 'Place in the time-lapse' }).waitFor()
  await page.keyboard.press('Escape')

  const card = (name: string) => page.getByRole('article').filter({ hasText: `- By ${name}` })
  await card('Maker 7').getByRole('button', { name: 'Refuse…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('A face is seen.')
  await page.getByRole('button', { name: 'Refuse it' }).click()
  await card('Maker 7').waitFor({ state: 'detached' })
  for (const name of [MARKUP, ...[1, 2, 3, 4, 5, 6].map((n) => `Maker ${n}`)]) {
    await card(name).getByRole('button', { name: 'Accept' }).click()
    await card(name).waitFor({ state: 'detached' })
  }
  const everybody = () =>
    page.evaluate(
      async () => (await (await fetch('/ent/api/publictimelapse/')).json()) as { video_url: string }[],
    )
  await until(async () => (await everybody()).length === 7, 'seven public time-lapses')
  await page.getByText(/^Public/).click()
  await card('Maker 3').getByRole('textbox', { name: 'Priority' }).fill('9')
  await page.keyboard.press('Enter')
  await until(
    async () =>
      (await card('Maker 3').count()) === 1 &&
      (await page.getByRole('article').first().textContent())?.includes('Maker 3'),
    'the one with priority is first',
  )

  // Six at first, the seventh when the end comes in sight.
  await stranger.page.reload()
  const films = stranger.page.getByRole('article')
  await films.first().waitFor()
  expect(await films.first().textContent()).toBe('- By Maker 3')
  await stranger.page.getByText('End of public time-lapse list.').scrollIntoViewIfNeeded()
  expect(await films.count()).toBe(7)
  await stranger.page.getByRole('button', { name: `Play the time-lapse by ${MARKUP}` }).click()
  const shown = stranger.page.getByRole('dialog', { name: `- By ${MARKUP}` })
  await shown.getByRole('slider', { name: 'Place in the time-lapse' }).focus()
  await stranger.page.keyboard.press('End')
  await shown.getByText('Possible failure detected!').waitFor()
  await stranger.page.keyboard.press('Home')
  await shown.getByText('Possible failure detected!').waitFor({ state: 'detached' })
  const video = await shown.locator('video').getAttribute('src')

  await page.goto(at(`/prints/${prints[0]}/`))
  await page.getByText(`Everybody can see this time-lapse, under the name ${MARKUP}.`).waitFor()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await page.getByRole('button', { name: 'Withdraw it' }).click()
  await page.getByRole('button', { name: 'Offer to the gallery…' }).waitFor()
  expect(await (await fetch(video!)).text()).toContain('Not found')
  await stranger.page.reload()
  await films.first().waitFor()
  await stranger.page.getByText('End of public time-lapse list.').waitFor()
  expect(await stranger.page.getByRole('button', { name: /Ada/ }).count()).toBe(0)

  for (const text of said)
    for (const secret of ['Secret printer', 'secret_part', 'owner@example.org', 'e2e/'])
      expect(text).not.toContain(secret)
  // The film that was open ends under way.
  expect(complaintsBut(stranger, /404/)).toEqual([])
  expect(owner.complaints).toEqual([])
  await stranger.page.goto(at('/gallery_moderation/'))
  await stranger.page.waitForURL(/accounts\/login/)
  await stranger.close()
}, 240_000)
