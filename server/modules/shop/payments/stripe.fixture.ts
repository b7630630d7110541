import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'node:querystring'

type Fields = Record<string, unknown>

interface Kept {
  readonly sessions: Map<string, Fields>
  readonly subscriptions: Map<string, Fields>
  readonly bills: Map<string, Fields[]>
  readonly refunds: Fields[]
  readonly events: Fields[]
}

interface Request {
  readonly method: string
  readonly path: string
  readonly body: Fields
  readonly query: Fields
}

let made = 0
const newId = (prefix: string) => `${prefix}_${++made}`
const list = (data: unknown[]) => ({ object: 'list', has_more: false, url: '/v1/x', data })

/** What is answered by the first word of the path; null is a 404. */
const ANSWERS: Record<string, (kept: Kept, request: Request) => Fields | null> = {
  products: (_, { method, body }) => (method === 'GET' ? null : { id: body['id'] }),
  customers: (_, { method, path }) =>
    method === 'DELETE' ? { id: path.split('/')[3], deleted: true } : { id: newId('cus') },
  coupons: () => ({ id: newId('co') }),
  billing_portal: () => ({ url: 'https://billing.stripe.example/p', created: seconds() }),
  checkout: checkoutAnswer,
  subscriptions: subscriptionAnswer,
  invoices: ({ bills }, { path, query }) =>
    path.endsWith('create_preview')
      ? {
          amount_due: 1234,
          total_taxes: [{ amount: 34 }],
          lines: list([{ description: 'x', amount: 1200 }]),
        }
      : list(bills.get(String(query['subscription'])) ?? []),
  refunds: refundAnswer,
  payment_intents: (_, { path }) => ({
    id: path.split('/')[3],
    amount_received: 5280,
    currency: 'usd',
    created: seconds(),
  }),
  events: ({ events }) => list(events.toReversed()),
}

function checkoutAnswer({ sessions }: Kept, { method, path, body }: Request): Fields | null {
  const now = sessions.get(path.split('/')[4] ?? '')
  if (method === 'GET') return now ?? null
  if (now !== undefined) return Object.assign(now, { status: 'expired' })
  const id = newId('cs')
  const session = {
    id,
    status: 'open',
    payment_status: 'unpaid',
    mode: body['mode'],
    url: `https://checkout.stripe.example/${id}`,
    client_reference_id: body['client_reference_id'],
    metadata: metadataOf(body),
    customer: body['customer'],
    subscription: null,
  }
  sessions.set(id, session)
  return session
}

function subscriptionAnswer({ subscriptions }: Kept, { method, path, body }: Request): Fields | null {
  const now = subscriptions.get(path.split('/')[3] ?? '')
  if (now === undefined || method === 'GET') return now ?? null
  if (method === 'DELETE') Object.assign(now, { status: 'canceled' })
  if ('cancel_at_period_end' in body)
    Object.assign(now, { cancel_at_period_end: body['cancel_at_period_end'] === 'true' })
  if ('metadata[deal]' in body) Object.assign(now, { metadata: metadataOf(body) })
  return now
}

function refundAnswer({ refunds }: Kept, { method, body, query }: Request): Fields {
  if (method !== 'POST')
    return list(refunds.filter((one) => one['payment_intent'] === query['payment_intent']))
  const refund = {
    id: newId('re'),
    status: 'succeeded',
    created: seconds(),
    amount: Number(body['amount']),
    payment_intent: body['payment_intent'],
  }
  refunds.push(refund)
  return refund
}

/** A buyer pays: the subscription begins, with a bill that is paid. */
function pays({ sessions, subscriptions, bills }: Kept, sessionId: string): string {
  const session = sessions.get(sessionId)
  const id = newId('sub')
  Object.assign(session ?? {}, { status: 'complete', payment_status: 'paid', subscription: id })
  const start = seconds()
  subscriptions.set(id, {
    id,
    status: 'active',
    customer: session?.['customer'],
    currency: 'usd',
    metadata: session?.['metadata'],
    cancel_at: null,
    cancel_at_period_end: false,
    latest_invoice: null,
    items: list([{ id: 'si', current_period_start: start, current_period_end: start + 31_536_000 }]),
  })
  bills.set(id, [bill(newId('pi'), 5280)])
  return id
}

/**
 * A stand-in for Stripe's API: it keeps what it is asked to keep and answers in Stripe's words, as far as they are read. What Stripe
 * itself would make of our requests is asked of stripe-mock (`server/engines/billing/stripe-mock.test.ts`).
 */
export async function aStripe() {
  const kept: Kept = {
    sessions: new Map(),
    subscriptions: new Map(),
    bills: new Map(),
    refunds: [],
    events: [],
  }
  const asked: (Omit<Request, 'query'> & { key: unknown })[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://x')
      const body = { ...parse(Buffer.concat(chunks).toString()) }
      const method = request.method ?? ''
      asked.push({ method, path, body, key: request.headers['idempotency-key'] })
      const ask = { method, path, body, query: Object.fromEntries(searchParams) }
      const said = ANSWERS[path.split('/')[2] ?? '']?.(kept, ask) ?? null
      response.writeHead(said === null ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(said ?? { error: { type: 'invalid_request_error', message: 'No such' } }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    subscriptions: kept.subscriptions,
    sessions: kept.sessions,
    refunds: kept.refunds,
    pays: (session: string) => pays(kept, session),
    /** A bill of a subscription that runs is paid. */
    renews: (id: string) => void kept.bills.get(id)?.unshift(bill(newId('pi'), 1000)),
    /** Something has happened, and is told or not. */
    event(type: string, object: Fields): Fields {
      const told = { id: newId('evt'), object: 'event', created: seconds(), type, data: { object } }
      kept.events.push(told)
      return told
    },
    close: () => new Promise((done) => server.close(done)),
  }
}

const seconds = () => Math.floor(Date.now() / 1000)

/** What is kept with a subscription, from the form that asked for it. */
function metadataOf(body: Fields): Fields {
  const found = Object.entries(body).flatMap(([name, value]) => {
    const key = /metadata\]?\[(\w{1,40})\]$/.exec(name.slice(0, 100))?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(found)
}

const bill = (paymentIntent: string, cents: number) => ({
  id: `in_${paymentIntent}`,
  currency: 'usd',
  total_taxes: [{ amount: 480 }],
  status_transitions: { paid_at: seconds() },
  payments: {
    data: [{ amount_paid: cents, created: seconds(), payment: { payment_intent: paymentIntent } }],
  },
})
