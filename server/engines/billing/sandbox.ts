import { createHmac } from 'node:crypto'
import { isSame } from '../../lib/signing.ts'
import { z } from 'zod'
import {
  type Billed,
  type Billing,
  BillingTrouble,
  type Change,
  type Paid,
  type Standing,
  type Told,
} from './port.ts'
import { charge, letPass, pay, setCard, type Tried, turn } from './sandbox.money.ts'
import { type Card, changed, type CheckoutBody, eventBody, pays, prorated, termEnd } from './sandbox.rules.ts'
import * as store from './sandbox.store.ts'
import type { Doc, Here } from './sandbox.store.ts'

/** A portal is open for so long. */
const PORTAL_MS = 3_600_000
/** A signature is good for so long. */
const FRESH_S = 300

/** A news as it is sent: its bytes, and the header that signs them. */
export interface Letter {
  readonly id: string
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
}

/** What its pages do beside. */
export interface Sandbox extends Billing {
  readonly name: 'sandbox'
  /** What a checkout's page shows; null: there is none. */
  shown(id: string): Promise<CheckoutBody | null>
  pay(id: string, card: Card, isConfirmed: boolean): Promise<Tried>
  /** What a portal's page shows; null: there is none, any more. */
  portalShown(id: string): Promise<PortalShown | null>
  setCard(customerId: string, card: Card): Promise<void>
  letPass(subscriptionId: string, ms: number | 'bill'): Promise<void>
  /** What the clock brings. */
  turn(): Promise<void>
  /** What nobody has heard yet. */
  untold(): Promise<Letter[]>
  heard(id: string): Promise<void>
}

interface PortalShown {
  readonly customerId: string
  readonly returnTo: string
  readonly card: Card | null
  readonly subscriptions: readonly Billed[]
}

/** A provider of our own making, on our own database: no money moves. */
export function openSandbox({ config, db, clock }: Standing): Sandbox {
  const here: Here = { db, clock }
  const secret = keyOf(config.VIGIL_SECRET)
  return {
    name: 'sandbox',
    customer: (account) => newCustomer(here, account.email),
    ...checkouts(here),
    ...subscriptions(here),
    ...money(here),
    portal: (customerId, way) => openPortal(here, customerId, way),
    portalShown: (id) => portalShown(here, id),
    forget: (customerId) => store.forget(here, customerId),
    read: (raw, headers) => readTold(secret, { raw, headers, now: clock.now() }),
    since: async (at, most) => (await store.eventsSince(here, at, most)).map(toldOf),
    pay: (id, card, isConfirmed) => pay(here, id, card, isConfirmed),
    setCard: (customerId, card) => setCard(here, customerId, card),
    letPass: (id, ms) => letPass(here, id, ms),
    turn: () => turn(here),
    untold: async () => (await store.due(here, 'event')).map((event) => letterOf(secret, event, clock.now())),
    heard: async (id) => await store.put(here, 'event', await store.get(here, 'event', id)),
  }
}

async function newCustomer(here: Here, email: string): Promise<string> {
  const id = store.newId('customer')
  await store.put(here, 'customer', { id, owner: id, body: { email, card: null } })
  return id
}

const checkouts = (here: Here) => ({
  open: async (order: Parameters<Billing['open']>[0]) => {
    const id = store.newId('checkout')
    const { customerId, deal, lines, home, ...more } = order
    const begun = { state: 'open' as const, subscriptionId: null, paymentId: null }
    await store.put(here, 'checkout', {
      id,
      owner: customerId,
      body: { ...more, deal, lines: [...lines], ...begun },
    })
    return { id, url: `${home}/sandbox/checkout/${id}/` }
  },
  checkout: async (id: string) => {
    const { body } = await store.get(here, 'checkout', id)
    const isOver = body.state === 'open' && body.expiresAt <= store.now(here)
    const isOnce = body.deal === null && body.paymentId !== null
    return {
      id,
      checkoutId: body.checkoutId,
      state: isOver ? ('closed' as const) : body.state,
      subscriptionId: body.subscriptionId,
      paid: isOnce && body.paymentId !== null ? await paidOf(here, body.paymentId) : null,
    }
  },
  close: async (id: string) => {
    await store.together(here, async (inside) => {
      const doc = await store.get(inside, 'checkout', id)
      if (doc.body.state === 'open')
        await store.put(inside, 'checkout', { ...doc, body: { ...doc.body, state: 'closed' } })
    })
  },
  shown: async (id: string) => {
    const doc = await store.get(here, 'checkout', id).catch(() => null)
    return doc?.body ?? null
  },
})

const subscriptions = (here: Here) => ({
  subscription: async (id: string) => await billedOf(here, await store.get(here, 'subscription', id)),
  preview: async ({ deal, from, at, before }: Change) => {
    if (from !== 'now') return { cents: 0, taxCents: 0, lines: [] }
    return prorated((await store.get(here, 'subscription', before.id)).body, deal, at)
  },
  change: (change: Change) => changeDeal(here, change),
  setEnding: async (id: string, willEnd: boolean) => {
    await store.together(here, async (inside) => {
      const doc = await store.get(inside, 'subscription', id)
      if (doc.body.state === 'ended') throw new BillingTrouble('refused')
      await store.putSubscription(inside, { ...doc, body: { ...doc.body, willEnd } })
    })
  },
  end: async (id: string) => {
    await store.together(here, async (inside) => {
      const doc = await store.get(inside, 'subscription', id)
      if (doc.body.state === 'ended') return
      await store.putSubscription(inside, { ...doc, body: { ...doc.body, state: 'ended' } })
    })
  },
})

async function changeDeal(here: Here, { deal, from, at, before }: Change): Promise<void> {
  await store.together(here, async (inside) => {
    const doc = await store.get(inside, 'subscription', before.id)
    if (doc.body.state !== 'active') throw new BillingTrouble('refused')
    if (from !== 'now') {
      const next = from === 'back' ? null : { deal, from: termEnd(doc.body) }
      return await store.putSubscription(inside, { ...doc, body: { ...doc.body, next } })
    }
    const { card } = (await store.get(inside, 'customer', doc.owner)).body
    if (card === null || !pays(card, true)) throw new BillingTrouble('declined')
    const { cents, taxCents } = prorated(doc.body, deal, at)
    const { currency } = doc.body
    await charge(inside, { customerId: doc.owner, of: doc.id, cents: cents - taxCents, currency, at })
    await store.putSubscription(inside, { ...doc, body: changed(doc.body, deal, at) })
  })
}

const money = (here: Here) => ({
  payment: (id: string) => paidOf(here, id),
  refund: async (paymentId: string, cents: number, key: string) => {
    await store.together(here, async (inside) => {
      const doc = await store.get(inside, 'payment', paymentId)
      const { refunds } = doc.body
      const id = `${paymentId}_${key}`
      if (refunds.some((one) => one.id === id)) return
      const given = refunds.filter(({ hasFailed }) => !hasFailed)
      if (given.reduce((sum, one) => sum + one.cents, cents) > doc.body.cents)
        throw new BillingTrouble('refused')
      const at = store.now(inside)
      await store.put(inside, 'payment', {
        ...doc,
        body: { ...doc.body, refunds: [...refunds, { id, cents, at, hasFailed: false }] },
      })
      await store.tell(inside, { kind: 'payment', id: paymentId })
    })
  },
})

const paidOf = async (here: Here, id: string): Promise<Paid> => ({
  ...(await store.get(here, 'payment', id)).body,
  id,
})

async function billedOf(here: Here, { id, owner, body }: Doc<'subscription'>): Promise<Billed> {
  const payments = await store.list(here, 'payment', id)
  const { checkoutId, state, willEnd, failedAt, deal, next, currency } = body
  return {
    id,
    checkoutId,
    customerId: owner,
    state,
    willEnd,
    termEnd: termEnd(body),
    failedAt,
    deal,
    next,
    currency,
    payments: payments.map((one) => ({ ...one.body, id: one.id })),
  }
}

async function openPortal(
  here: Here,
  customerId: string,
  { returnTo, home }: Parameters<Billing['portal']>[1],
) {
  await store.get(here, 'customer', customerId)
  const id = store.newId('portal')
  const expiresAt = new Date(store.now(here).getTime() + PORTAL_MS)
  await store.put(here, 'portal', { id, owner: customerId, body: { returnTo, expiresAt } })
  return { url: `${home}/sandbox/portal/${id}/`, expiresAt }
}

async function portalShown(here: Here, id: string): Promise<PortalShown | null> {
  const doc = await store.get(here, 'portal', id).catch(() => null)
  if (doc === null || doc.body.expiresAt <= store.now(here)) return null
  const { card } = (await store.get(here, 'customer', doc.owner)).body
  const all = await store.list(here, 'subscription', doc.owner)
  const billed = await Promise.all(all.map((one) => billedOf(here, one)))
  return { customerId: doc.owner, returnTo: doc.body.returnTo, card, subscriptions: billed }
}

const toldOf = ({ id, body }: Doc<'event'>): Told => ({ id, ...body })

function keyOf(secret: string | undefined): string {
  if (secret === undefined) throw new Error('VIGIL_SECRET is missing: the sandbox cannot sign.')
  return createHmac('sha256', secret).update('sandbox').digest('base64url')
}

const HEADER = 'sandbox-signature'
const signed = (secret: string, seconds: number, payload: string) =>
  createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex')

function letterOf(secret: string, { id, body }: Doc<'event'>, at: number): Letter {
  const payload = JSON.stringify({ id, ...body })
  const seconds = Math.floor(at / 1000)
  return { id, payload, headers: { [HEADER]: `t=${seconds},v1=${signed(secret, seconds, payload)}` } }
}

interface Came {
  readonly raw: Buffer
  readonly headers: Readonly<Record<string, unknown>>
  readonly now: number
}

function readTold(secret: string, { raw, headers, now }: Came): Told {
  const said = headers[HEADER]
  const found = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(typeof said === 'string' ? said.slice(0, 100) : '')
  const [, at = '', digest = ''] = found ?? []
  const payload = raw.toString('utf8')
  const isFresh = Math.abs(now / 1000 - Number(at)) <= FRESH_S
  if (found === null || !isFresh || !isSame(digest, signed(secret, Number(at), payload)))
    throw new BillingTrouble('forged')
  return z.object({ id: z.string() }).and(eventBody).parse(JSON.parse(payload))
}
