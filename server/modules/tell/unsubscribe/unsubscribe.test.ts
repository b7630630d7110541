import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

const PATH = '/unsubscribe_email/'
let app: TestApp
let user: TestUser
let token: string

beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  user = await aUser(app)
  token = (await call(app, 'GET', '/api/v1/users/me/', { cookie: user.cookie })).json.unsub_token
})

const linkTo = (list: string, of = token) => `${PATH}?unsub_token=${of}&list=${list}`
/** As a mail program does it: without cookie, without asking anybody. */
const oneClick = (list: string) =>
  fetch(app.url + linkTo(list), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
/** The switches of the channel that are on. */
async function on(): Promise<string[]> {
  const row = await app.ctx.db
    .selectFrom('notificationSettings')
    .selectAll()
    .where('userId', '=', user.id)
    .where('name', '=', 'email')
    .executeTakeFirstOrThrow()
  return Object.entries(row).flatMap(([name, value]) =>
    name.startsWith('notifyOn') && value === true ? [name] : [],
  )
}

it('asks when it is opened, and takes off the list by the button', async () => {
  const page = await call(app, 'GET', linkTo('print_done'))
  expect(page.status).toBe(200)
  expect(page.text).toContain('method="post"')
  expect(await on()).toContain('notifyOnPrintDone')
  expect((await oneClick('print_done')).status).toBe(200)
  expect(await on()).toEqual(['notifyOnFailureAlert', 'notifyOnFilamentChange', 'notifyOnNotWatching'])
})

it('knows the lists of old letters, and the news of the account', async () => {
  await oneClick('print_notification')
  expect(await on()).toEqual(['notifyOnFailureAlert'])
  await oneClick('alert')
  expect(await on()).toEqual([])
  await oneClick('account_notification')
  const me = await call(app, 'GET', '/api/v1/users/me/', { cookie: user.cookie })
  expect(me.json.account_notification_by_email).toBe(false)
})

it.each([
  ['an unknown list', () => linkTo('everything')],
  ['no list', () => `${PATH}?unsub_token=${token}`],
  ['no token', () => `${PATH}?list=print_done`],
  ['a token that is none', () => linkTo('print_done', "x' or 1=1")],
  ['a token of nobody', () => linkTo('print_done', '00000000-0000-4000-8000-000000000000')],
])('finds nothing behind %s', async (_, path) => {
  for (const method of ['GET', 'POST']) expect((await call(app, method, path())).status).toBe(404)
})
