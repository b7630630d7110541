import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { OWNER_LOOKS } from '../looks.ts'
import { complaintsBut, walkTo } from '../support.ts'

/** What the journey provokes: a refused change of the address. */
const REFUSED = /status of 403/
const PASSWORD = 'a good long password'

const workshop = aWorkshop({ env: { IS_ENT: 'true' } })

/** Somebody else gets an account. */
async function anybody(email: string): Promise<void> {
  const body = JSON.stringify({ email, password: PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(workshop.at('/api/v1/auth/signup/'), { method: 'POST', headers, body })
  expect(answer.status, await answer.text()).toBe(201)
}

test.each(OWNER_LOOKS)(
  'an administrator opens sign-up, tells people, and acts as one of them (%s)',
  async (language, look) => {
    const { person: boss, page, say } = await workshop.ownerBefore(look, `admin-${language}`)
    await walkTo(page, '/admin/site/')
    const signUp = page.getByRole('combobox', { name: say('admin:site.flags.ACCOUNT_ALLOW_SIGN_UP') })
    await signUp.selectOption('true')
    await page.getByText(say('admin:site.turned')).first().waitFor()
    const email = `maria-${language}@example.org`
    await anybody(email)

    await walkTo(page, '/admin/notices/')
    const box = (key: `admin:${string}`, language: `admin:${string}`) =>
      page.getByRole('textbox', { name: say(key, { language: say(language) }) })
    await box('admin:notices.bodyIn', 'admin:notices.english').fill('We move tonight.')
    await box('admin:notices.bodyIn', 'admin:notices.chinese').fill('今晚搬家。')
    await page.getByRole('button', { name: say('admin:notices.write'), exact: true }).click()
    await page.getByText(say('admin:notices.published')).first().waitFor()

    await walkTo(page, '/admin/')
    await page.getByRole('searchbox').fill(`maria-${language}`)
    await page.getByRole('link', { name: email }).click()
    await page.getByRole('textbox', { name: say('admin:person.reason') }).fill('They asked')
    await page.getByRole('button', { name: say('admin:person.act'), exact: true }).click()
    const banner = page.getByRole('alert').filter({ hasText: email })
    await banner.waitFor()
    await page.getByText(language === 'en' ? 'We move tonight.' : '今晚搬家。').waitFor()
    const refused = await page.evaluate(
      async () => (await fetch('/api/v1/auth/sessions/', { method: 'DELETE' })).status,
    )
    expect(refused).toBe(403)
    await banner.getByRole('button', { name: say('admin:acting.stop') }).click()
    await page.getByRole('heading', { name: say('admin:sections.people'), exact: true }).waitFor()
    expect(await banner.count()).toBe(0)

    await walkTo(page, '/user_preferences/household/')
    await page.getByText(say('household:log.acts.admin_impersonation_ended')).first().waitFor()
    // As it was: others have this server, too.
    await walkTo(page, '/admin/site/')
    await signUp.selectOption('')
    await page.getByText(say('admin:site.turned')).first().waitFor()
    await walkTo(page, '/admin/notices/')
    await page.getByRole('button', { name: say('admin:notices.remove') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('admin:notices.remove') })
      .click()
    await page.getByText(say('admin:notices.none')).waitFor()
    expect(complaintsBut(boss, REFUSED)).toEqual([])
    if (look) await boss.close()
  },
)
