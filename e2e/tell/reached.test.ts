import { afterAll, expect, test } from 'vitest'
import { aStandIn, type StandIn, status } from '../../server/modules/tell/notifications/standin.fixture.ts'
import { aBrowser, type TestBrowser } from '../../server/modules/tell/notifications/webpush.fixture.ts'
import { useWholeBrowser } from '../browsers.ts'
import { aWorkshop } from '../fixture.ts'
import { OWNER_LOOKS, wordsIn } from '../looks.ts'
import { addPrinter, complaintsBut, OWNER, type Person, until, walkTo } from '../support.ts'

/** A server that stands in for ntfy's and the push service's: started first, as ours has to know where they are. */
const vendor: StandIn = await aStandIn(() => ({ ok: true }))
const PUSH = 'https://push.example'
useWholeBrowser()
const workshop = aWorkshop({
  env: { OUTGOING_STAND_INS: ['https://ntfy.sh', PUSH].map((origin) => `${origin}=${vendor.url}`).join(',') },
  profile: { serviceWorkers: 'allow', permissions: ['notifications'] },
})
afterAll(() => vendor.close())

test.each(OWNER_LOOKS)(
  'who has just linked a printer is asked how to be reached, and the list says when nobody would be (%s)',
  async (language, look) => {
    const { page, say } = await workshop.ownerBefore(look, `reached-${language}`)
    const { id: printerId } = await addPrinter(page, `Ender ${language}`)
    const settings = await page.request.get(workshop.at('/api/v1/notification_settings/'))
    for (const { id } of (await settings.json()) as { id: number }[])
      await page.request.delete(workshop.at(`/api/v1/notification_settings/${id}/`))
    // With one printer the list leads on to it, unless its owner wants otherwise.
    await page.addInitScript(() => localStorage.setItem('single-printer-redirect-enabled', 'false'))
    await page.goto(workshop.at('/printers/'))
    await page.getByText(say('notifications:reach.none')).waitFor()
    await walkTo(page, `/printers/wizard/success/${printerId}/`)
    await page.getByText(say('notifications:wizard.title')).waitFor()
    await page.getByRole('button', { name: 'ntfy' }).click()
    await page
      .getByRole('textbox', { name: say('notifications:channel.ntfy.ntfy_url') })
      .fill('https://ntfy.sh/neu')
    await page.getByRole('button', { name: say('notifications:test.send') }).click()
    await page.getByText(say('notifications:test.sent')).waitFor()
    expect(vendor.asked.at(-1)?.path).toBe('/neu')
    await walkTo(page, '/user_preferences/sent_messages/')
    await page
      .getByRole('listitem')
      .filter({ hasText: say('notifications:kind.Test') })
      .first()
      .waitFor()
  },
)

const settingOf = async ({ page }: Person, channel: string) => {
  const answer = await page.request.get(workshop.at('/api/v1/notification_settings/'))
  const found = (await answer.json()) as { name: string; enabled: boolean }[]
  return found.find(({ name }) => name === channel)
}

test(
  'a browser is turned on, and shows what the server tells it: picture, buttons, the way to the page',
  { timeout: 120_000 },
  async () => {
    const { owner: person } = workshop
    workshop.evidence('reached-push', person)
    const { page } = person
    const say = wordsIn('en')
    const mine: TestBrowser = aBrowser(`${PUSH}/wpush/1`)
    // Chromium's own push service is on the network: the browser's end of it is ours, all the rest is Chromium's.
    await page.addInitScript(
      ({ endpoint, keys }) => {
        let isOn = false
        const subscription = {
          endpoint,
          toJSON: () => ({ endpoint, keys }),
          unsubscribe: async () => !(isOn = false),
        }
        Object.assign(PushManager.prototype, {
          subscribe: async () => ((isOn = true), subscription),
          getSubscription: async () => (isOn ? subscription : null),
        })
      },
      { endpoint: mine.endpoint, keys: mine.keys },
    )
    await page.goto(workshop.at('/user_preferences/notification_webpush/'))
    await page.getByRole('button', { name: say('notifications:push.turnOn') }).click()
    await page.getByText(say('notifications:push.this')).waitFor()
    vendor.answers(status(201))
    vendor.asked.length = 0
    await page.getByRole('button', { name: say('notifications:test.send') }).click()
    await page.getByText(say('notifications:test.sent')).waitFor()
    const told = mine.read(vendor.asked[0]?.body ?? Buffer.alloc(0))
    expect(told).toMatchObject({ title: 'Vigil test message' })

    // What the push service would hand over, with what an alert has beside a test.
    const cdp = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    const alert = {
      ...told,
      isAlert: true,
      url: '/printers/1/control/',
      picture: '/media/tsd-pics/1.jpg?digest=x',
      buttons: [
        { text: 'Pause', url: '/alerts/a/pause/' },
        { text: 'Not a failure', url: '/alerts/a/fine/' },
      ],
    }
    const { origin } = new URL(workshop.vigil.address)
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: await registered,
      data: JSON.stringify(alert),
    })
    const shown = await until(
      () =>
        page.evaluate(async () => {
          const [one] = await (await navigator.serviceWorker.ready).getNotifications()
          if (!one) return null
          const { title, body, tag, requireInteraction, data } = one
          const { image, actions } = one as unknown as { image: string; actions: { title: string }[] }
          return {
            title,
            body,
            tag,
            requireInteraction,
            data,
            image,
            actions: actions.map((action) => action.title),
          }
        }),
      'the message is shown',
    )
    expect(shown).toEqual({
      title: 'Vigil test message',
      body: told.body,
      tag: told.tag,
      requireInteraction: true,
      image: `${origin}/media/tsd-pics/1.jpg?digest=x`,
      actions: ['Pause', 'Not a failure'],
      data: {
        url: `${origin}/printers/1/control/`,
        leads: { 0: `${origin}/alerts/a/pause/`, 1: `${origin}/alerts/a/fine/` },
      },
    })

    // Turned off, the channel is gone with it.
    await page.getByRole('button', { name: /^Turn off in/ }).click()
    await page.getByRole('button', { name: say('notifications:push.turnOn') }).waitFor()
    expect(await settingOf(person, 'webpush')).toBeUndefined()

    // Signed out, this browser shows nothing any more, neither what comes nor what it showed.
    await page.getByRole('button', { name: say('notifications:push.turnOn') }).click()
    await page.getByText(say('notifications:push.this')).waitFor()
    await page.evaluate(async () => (await navigator.serviceWorker.ready).showNotification('of before'))
    await walkTo(page, '/accounts/logout/')
    await page.getByRole('button', { name: say('common:signOut') }).click()
    await page.getByRole('button', { name: say('accounts:signIn') }).waitFor()
    await until(
      () =>
        page.evaluate(
          async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 0,
        ),
      'what was shown is taken away',
    )
    await page.getByLabel(say('accounts:email')).fill(OWNER.email)
    await page.getByLabel(say('accounts:password'), { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: say('accounts:signIn') }).click()
    await page.waitForURL(/\/printers\//)
    expect(await settingOf(person, 'webpush')).toBeUndefined()
    await walkTo(page, '/user_preferences/notification_webpush/')
    await page.getByRole('button', { name: say('notifications:push.turnOn') }).waitFor()
    expect(complaintsBut(person, /status of 40[14]|net::ERR/)).toEqual([])
  },
)
