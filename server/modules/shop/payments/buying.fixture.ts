import { activeSubscription } from '@vigil/contract/shop/subscriptions.ts'
import { openSandbox, type Sandbox } from '../../../engines/billing/sandbox.ts'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { setPlan } from '../../people/accounts/index.ts'
import type { Shop } from './payments.jobs.ts'

export const DAY_MS = 86_400_000

/** A server that sells plans in the sandbox, and what its jobs get. */
export async function aShop(): Promise<{ app: TestApp; shop: Shop }> {
  const app = await buildTestApp({ env: { IS_ENT: 'true', BILLING: 'sandbox' } })
  return { app, shop: { ...app.ctx, billing: openSandbox(app.ctx) } }
}

/** Somebody on the Free plan, whose address is confirmed. */
export async function aBuyer(app: TestApp): Promise<TestUser> {
  const owner = await aUser(app)
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  await app.ctx.db
    .updateTable('users')
    .set({ isPrimaryEmailVerified: true })
    .where('id', '=', owner.id)
    .execute()
  return owner
}

export const get = (app: TestApp, who: TestUser, path: string) =>
  call(app, 'GET', path, { cookie: who.cookie })
export const post = (app: TestApp, who: TestUser, path: string, body: object = {}) =>
  call(app, 'POST', path, { cookie: who.cookie, body })

export const active = async (app: TestApp, who: TestUser) =>
  activeSubscription.strict().parse((await get(app, who, '/ent/api/subscriptions/active/')).json)

/** What somebody does in a form of the sandbox's pages. */
export async function press(url: string, fields: Record<string, string>) {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') }
}

const PRO = '/ent/generate_pro_checkout_url/'

/** The page on which a plan is paid. */
export async function pageFor(app: TestApp, who: TestUser, query = ''): Promise<string> {
  const answer = await get(app, who, `${PRO}?${query}`)
  if (answer.status !== 200) throw new Error(`no checkout: ${answer.text}`)
  return answer.json.url
}

/** Buys a plan with a card, and comes back. */
export async function buy(app: TestApp, who: TestUser, query = '', card = 'works') {
  const paid = await press(await pageFor(app, who, query), { card })
  await fetch(String(paid.to), { redirect: 'manual' })
  return await active(app, who)
}

/** The plan, once it is in a state. */
export const planIn = (app: TestApp, who: TestUser, state: string | null) =>
  eventually(async () => {
    const now = await active(app, who)
    return (now.subscription?.state ?? null) === state ? now : undefined
  })

/** What the sandbox does while nobody hears of it; its letters, to be delivered as one likes. */
export async function silently(app: TestApp, work: (sandbox: Sandbox) => Promise<unknown>) {
  return await app.ctx.db.transaction().execute(async (db) => {
    const sandbox = openSandbox({ ...app.ctx, db })
    const before = new Set((await sandbox.untold()).map(({ id }) => id))
    await work(sandbox)
    const letters = (await sandbox.untold()).filter(({ id }) => !before.has(id))
    for (const { id } of letters) await sandbox.heard(id)
    return letters
  })
}

type Letter = Awaited<ReturnType<typeof silently>>[number]

/** A letter of the sandbox comes by the webhook. */
export async function deliver(app: TestApp, { payload, headers }: Pick<Letter, 'payload' | 'headers'>) {
  const answer = await fetch(`${app.url}/ent/webhooks/billing/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: payload,
  })
  return answer.status
}
