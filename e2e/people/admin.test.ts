import { expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { aPerson, complaintsBut } from '../support.ts'

/** What the journey provokes: a refused change of the address. */
const REFUSED = /status of 403/
const PASSWORD = 'a good long password'

const workshop = aWorkshop({ env: { IS_ENT: 'true' } })

/** Somebody else with an account, at a browser of their own. */
async function anybody(email: string) {
  const person = await aPerson()
  await person.page.goto(workshop.at('/accounts/signup/'))
  const status = await person.page.evaluate(
    async (body) =>
      (
        await fetch('/api/v1/auth/signup/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body,
        })
      ).status,
    JSON.stringify({ email, password: PASSWORD }),
  )
  expect(status).toBe(201)
  return person
}

const ALL_LOOKS = [
  ['en', LOOKS.klipperDesk],
  ['zh', LOOKS.klipperPhone],
] as const
// in the gate on a desk, in English: look.test.ts sees each of these pages
test.each(inSuite(ALL_LOOKS.slice(0, 1), [...ALL_LOOKS]))(
  'an administrator opens sign-up, tells people, and acts as one of them (%s)',
  async (_, look) => {
    const { person: boss, page, say } = await workshop.ownerAt(look, `admin-${look.language}`)
    await page.goto(workshop.at('/admin/site/'))
    const signUp = page.getByRole('combobox', { name: say('admin:site.flags.ACCOUNT_ALLOW_SIGN_UP') })
    await signUp.selectOption('true')
    await page.getByText(say('admin:site.turned')).first().waitFor()
    const email = `maria-${look.language}@example.org`
    const maria = await anybody(email)

    await page.goto(workshop.at('/admin/notices/'))
    const box = (key: `admin:${string}`, language: `admin:${string}`) =>
      page.getByRole('textbox', { name: say(key, { language: say(language) }) })
    await box('admin:notices.bodyIn', 'admin:notices.english').fill('We move tonight.')
    await box('admin:notices.bodyIn', 'admin:notices.chinese').fill('今晚搬家。')
    await page.getByRole('button', { name: say('admin:notices.write'), exact: true }).click()
    await page.getByText(say('admin:notices.published')).first().waitFor()

    await maria.page.goto(workshop.at('/printers/'))
    await maria.page.getByText('We move tonight.').waitFor()

    await page.goto(workshop.at('/admin/'))
    await page.getByRole('searchbox').fill(`maria-${look.language}`)
    await page.getByRole('link', { name: email }).click()
    await page.getByRole('textbox', { name: say('admin:person.reason') }).fill('They asked')
    await page.getByRole('button', { name: say('admin:person.act'), exact: true }).click()
    const banner = page.getByRole('alert').filter({ hasText: email })
    await banner.waitFor()
    await page.getByText(look.language === 'en' ? 'We move tonight.' : '今晚搬家。').waitFor()
    const refused = await page.evaluate(
      async () => (await fetch('/api/v1/auth/sessions/', { method: 'DELETE' })).status,
    )
    expect(refused).toBe(403)
    await banner.getByRole('button', { name: say('admin:acting.stop') }).click()
    await page.getByRole('heading', { name: say('admin:sections.people'), exact: true }).waitFor()
    expect(await banner.count()).toBe(0)

    await page.goto(workshop.at('/user_preferences/household/'))
    await page.getByText(say('household:log.acts.admin_impersonation_ended')).first().waitFor()
    // As it was: others have this server, too.
    await page.goto(workshop.at('/admin/site/'))
    await signUp.selectOption('')
    await page.getByText(say('admin:site.turned')).first().waitFor()
    await page.goto(workshop.at('/admin/notices/'))
    await page.getByRole('button', { name: say('admin:notices.remove') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('admin:notices.remove') })
      .click()
    await page.getByText(say('admin:notices.none')).waitFor()
    expect(complaintsBut(boss, REFUSED)).toEqual([])
    await maria.close()
    await boss.close()
  },
)
