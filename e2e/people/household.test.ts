import { afterAll, expect, test } from 'vitest'
import { openTestSmtp } from '../../server/test/smtp.ts'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { LOOKS, wordsIn } from '../looks.ts'
import { aPerson, addPrinter, complaintsBut } from '../support.ts'

/** Somebody who is signed in nowhere asks who they are. */
const REFUSED = /status of 403/
const PASSWORD = 'a good long password'

const smtp = await openTestSmtp()
const workshop = aWorkshop({
  env: { ...smtp.env, ACCOUNT_ALLOW_SIGN_UP: 'true', ACCOUNT_EMAIL_VERIFICATION: 'none' },
})
afterAll(() => smtp.close())

const ALL_LOOKS = [
  ['en', LOOKS.klipperDesk],
  ['zh', LOOKS.klipperPhone],
] as const
// in the gate on a phone, in Chinese: look.test.ts sees each of these pages
test.each(inSuite(ALL_LOOKS.slice(1), [...ALL_LOOKS]))(
  'who is invited signs up, accepts, and sees the printer (%s)',
  async (_, look) => {
    const { person: owner, page, say } = await workshop.ownerAt(look, `household-${look.language}`)
    const name = `Voron ${look.language}`
    const email = `ada-${look.language}@example.net`
    await page.goto(workshop.at('/user_preferences/household/'))
    await addPrinter(page, name)
    await page.reload()
    await page.getByRole('textbox', { name: say('household:form.email') }).fill(email)
    await page.getByRole('combobox', { name: say('household:form.role') }).selectOption('operator')
    await page.getByRole('button', { name: say('household:form.invite'), exact: true }).click()
    await page.getByText(email).first().waitFor()

    const letter = await smtp.letterTo(email, /./)
    const link = /http\S+\/invitation\/#key=[\w-]+/.exec(letter.text ?? '')?.[0] ?? ''
    const ada = await aPerson({ locale: look.language === 'zh' ? 'zh-CN' : 'en-GB' })
    const words = wordsIn(look.language)
    await ada.page.goto(link)
    await ada.page.getByRole('heading', { name: words('household:invitation.title') }).waitFor()
    await ada.page.getByRole('link', { name: words('household:invitation.signUp') }).click()
    await ada.page.locator('input[type=email]').fill(email)
    for (const field of await ada.page.locator('input[type=password]').all()) await field.fill(PASSWORD)
    await ada.page.locator('form button[type=submit]').click()
    await ada.page.getByRole('button', { name: words('household:invitation.accept') }).click()
    await ada.page.getByText(name).first().waitFor()
    expect(complaintsBut(ada, REFUSED)).toEqual([])
    await ada.close()

    await page.reload()
    await page.getByText(say('household:log.acts.household_joined')).first().waitFor()

    // Whoever runs this server tries its mail, and looks how it does.
    const ops = `ops-${look.language}@example.net`
    await page.goto(workshop.at('/admin/jobs/'))
    await page.getByRole('textbox', { name: say('admin:mail.email') }).fill(ops)
    await page.getByRole('button', { name: say('admin:mail.send'), exact: true }).click()
    await page.getByText(say('admin:mail.accepted', { said: '' }).trim()).waitFor()
    await smtp.letterTo(ops, /./)
    await page.goto(workshop.at('/admin/system/'))
    await page.getByText(say('admin:system.states.ready'), { exact: true }).waitFor()
    const never = page.getByText(say('admin:system.never'))
    if (await never.isVisible()) await page.getByRole('button', { name: say('admin:system.count') }).click()
    await never.waitFor({ state: 'detached' })
    expect(complaintsBut(owner)).toEqual([])
    await owner.close()
  },
)
