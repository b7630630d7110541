import { totalOf } from './bill.rules.ts'
import { BillingTrouble } from './port.ts'
import { type Card, earlier, pays, renewed, type SubscriptionBody, taxOf, termEnd } from './sandbox.rules.ts'
import {
  type Doc,
  due,
  get,
  type Here,
  list,
  newId,
  now,
  put,
  putSubscription,
  tell,
  together,
} from './sandbox.store.ts'

/** What a buyer who pays later has to wait for. */
const LATER_MS = 60_000

/** What became of a try to pay. */
export type Tried = 'paid' | 'pending' | 'declined' | 'confirm' | 'gone'

interface Charge {
  readonly customerId: string
  readonly of: string
  /** Before tax. */
  readonly cents: number
  readonly currency: string
  readonly at: Date
}

/** Money that is none; nothing is written for nothing. */
export async function charge(
  here: Here,
  { customerId, of, cents, currency, at }: Charge,
): Promise<string | null> {
  if (cents <= 0) return null
  const id = newId('payment')
  const taxCents = taxOf(cents)
  await put(here, 'payment', {
    id,
    owner: of,
    body: { customerId, cents: cents + taxCents, taxCents, currency, at, refunds: [] },
  })
  return id
}

/** Somebody pays at the page of a checkout, with a card. */
export async function pay(here: Here, id: string, card: Card, isConfirmed: boolean): Promise<Tried> {
  return await together(here, async (inside) => {
    const doc = await get(inside, 'checkout', id)
    if (doc.body.state !== 'open' || doc.body.expiresAt <= now(inside)) return 'gone'
    if (!pays(card, true)) return 'declined'
    if (card === 'confirm' && !isConfirmed) return 'confirm'
    const customer = await get(inside, 'customer', doc.owner)
    await put(inside, 'customer', { ...customer, body: { ...customer.body, card } })
    if (card !== 'later') {
      await settle(inside, doc)
      return 'paid'
    }
    const waits = new Date(now(inside).getTime() + LATER_MS)
    await put(inside, 'checkout', { ...doc, body: { ...doc.body, state: 'pending' } }, waits)
    await tell(inside, { kind: 'checkout', id })
    return 'pending'
  })
}

/** The money of a checkout has come: what was bought begins. */
async function settle(here: Here, doc: Doc<'checkout'>): Promise<void> {
  const { body, owner: customerId } = doc
  const subscriptionId = body.deal === null ? null : newId('subscription')
  const cents = body.lines.reduce((sum, line) => sum + line.cents, -body.firstOffCents)
  const at = now(here)
  const paid = { customerId, of: subscriptionId ?? doc.id, cents, currency: body.currency, at }
  const paymentId = await charge(here, paid)
  await put(here, 'checkout', { ...doc, body: { ...body, state: 'paid', subscriptionId, paymentId } })
  await tell(here, { kind: 'checkout', id: doc.id })
  if (subscriptionId === null || body.deal === null) return
  const begun: SubscriptionBody = {
    checkoutId: body.checkoutId,
    currency: body.currency,
    state: 'active',
    willEnd: false,
    anchor: at,
    terms: 0,
    failedAt: null,
    deal: body.deal,
    next: null,
  }
  await putSubscription(here, { id: subscriptionId, owner: customerId, body: begun })
}

/** Goes on to the next term, if the card lets it; ends where that was wanted. */
async function goOn(here: Here, doc: Doc<'subscription'>): Promise<Doc<'subscription'>> {
  if (doc.body.willEnd) return { ...doc, body: { ...doc.body, state: 'ended' } }
  const at = termEnd(doc.body)
  return await payTerm(here, { ...doc, body: renewed(doc.body) }, at)
}

/** Pays the term that runs. */
async function payTerm(here: Here, doc: Doc<'subscription'>, at: Date): Promise<Doc<'subscription'>> {
  const { card } = (await get(here, 'customer', doc.owner)).body
  if (card === null || !pays(card, false))
    return { ...doc, body: { ...doc.body, state: 'past_due', failedAt: doc.body.failedAt ?? at } }
  const { currency } = doc.body
  await charge(here, { customerId: doc.owner, of: doc.id, cents: totalOf(doc.body.deal), currency, at })
  return { ...doc, body: { ...doc.body, state: 'active', failedAt: null } }
}

/** What the clock brings to a subscription: bill after bill, however long nobody looked. */
async function catchUp(here: Here, given: Doc<'subscription'>): Promise<void> {
  let doc = given
  while (doc.body.state === 'active' && termEnd(doc.body) <= now(here)) doc = await goOn(here, doc)
  await putSubscription(here, doc)
}

/** Renews what is due, and lets money come that was to come later. */
export async function turn(here: Here): Promise<void> {
  for (const { id } of await due(here, 'subscription'))
    await together(here, async (inside) => await catchUp(inside, await get(inside, 'subscription', id)))
  for (const { id } of await due(here, 'checkout'))
    await together(here, async (inside) => {
      const doc = await get(inside, 'checkout', id)
      if (doc.body.state === 'pending') await settle(inside, doc)
    })
}

/** Another card: it pays what is owed at once. */
export async function setCard(here: Here, customerId: string, card: Card): Promise<void> {
  await together(here, async (inside) => {
    const customer = await get(inside, 'customer', customerId)
    await put(inside, 'customer', { ...customer, body: { ...customer.body, card } })
    for (const doc of await list(inside, 'subscription', customerId))
      if (doc.body.state === 'past_due')
        await putSubscription(inside, await payTerm(inside, doc, now(inside)))
  })
}

/** Time passes for a subscription: so many milliseconds, or until its next bill. */
export async function letPass(here: Here, id: string, ms: number | 'bill'): Promise<void> {
  await together(here, async (inside) => {
    const doc = await get(inside, 'subscription', id)
    if (doc.body.state === 'ended') throw new BillingTrouble('refused')
    let body = ms === 'bill' ? doc.body : earlier(doc.body, ms)
    // Months are not equally long: moved by what is left, a term may still not be over.
    for (let tries = 0; ms === 'bill' && tries < 5; tries++)
      body = earlier(body, Math.max(0, termEnd(body).getTime() - now(inside).getTime()))
    await catchUp(inside, { ...doc, body })
  })
}
