/**
 * What Stripe itself makes of our requests: stripe-mock checks each against Stripe's own description of its API. It is a Go module, which
 * `./vigil test` builds where Go is (scripts/programs.mjs); where it is not, `server/modules/shop/payments/stripe.test.ts` alone looks at what is asked.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { eventually } from '../../test/wire/agent.ts'
import { dealFixture } from './deal.fixture.ts'
import { openStripe } from './stripe.ts'
import type { Billed, Billing, Line } from './port.ts'

const PROGRAM = join(import.meta.dirname, '../../../.vigil/go/stripe-mock')
const canRun = existsSync(PROGRAM)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

let billing: Billing
let stop = () => {}
let said = ''

beforeAll(async () => {
  if (!canRun) return
  const port = await freePort()
  const child = spawn(PROGRAM, ['-http-addr', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  stop = () => void child.kill()
  await eventually(() => Promise.resolve(/listening/i.test(said) ? true : undefined))
  const standIn = `https://api.stripe.com=http://127.0.0.1:${port}`
  const config = readConfig({ NODE_ENV: 'test', IS_ENT: 'true', OUTGOING_STAND_INS: standIn })
  billing = openStripe(config, { key: 'sk_test_123', secret: 'whsec_x' })
})
afterAll(() => stop())

const lines: Line[] = [
  { what: 'base', name: 'Pro', cents: 4800 },
  { what: 'pack', name: 'Hours', cents: 6000 },
]
const before: Billed = {
  id: 'sub_123',
  checkoutId: 'ours',
  customerId: 'cus_123',
  state: 'active',
  willEnd: false,
  termEnd: new Date(Date.now() + 30 * 86_400_000),
  failedAt: null,
  deal: dealFixture,
  next: null,
  currency: 'USD',
  payments: [],
}
const change = { before, deal: { ...dealFixture, printers: 4 }, lines, at: new Date() }
const order = {
  checkoutId: 'ours',
  customerId: 'cus_123',
  language: 'zh',
  currency: 'USD',
  lines,
  firstOffCents: 0,
  home: 'https://vigil.example',
  returnTo: 'https://vigil.example/a/',
  cancelTo: 'https://vigil.example/b/',
  expiresAt: new Date(Date.now() + 3_600_000),
} as const

it.runIf(canRun).each<[string, () => Promise<unknown>]>([
  ['a customer', () => billing.customer({ userId: 1, email: 'a@example.org' })],
  ['a checkout of a plan', () => billing.open({ ...order, deal: dealFixture })],
  ['one with a discount', () => billing.open({ ...order, deal: dealFixture, firstOffCents: 100 })],
  ['a checkout of hours', () => billing.open({ ...order, deal: null })],
  ['the end of a checkout', () => billing.close('cs_123')],
  ['a portal', () => billing.portal('cus_123', order)],
  ['a preview', () => billing.preview({ ...change, from: 'now' })],
  ['a dearer plan', () => billing.change({ ...change, from: 'now' })],
  ['a cheaper plan', () => billing.change({ ...change, from: 'renewal' })],
  [
    'a shorter one',
    () =>
      billing.change({
        ...change,
        from: 'renewal',
        deal: { ...dealFixture, cycle: 'monthly', months: 1 },
      }),
  ],
  ['that it stays as it is', () => billing.change({ ...change, from: 'back' })],
  ['a cancellation', () => billing.setEnding('sub_123', true)],
  ['a resumption', () => billing.setEnding('sub_123', false)],
  ['an end', () => billing.end('sub_123')],
  ['a refund', () => billing.refund('pi_123', 100, 'key')],
  ['that somebody goes', () => billing.forget('cus_123')],
  ['a question for a payment', () => billing.payment('pi_123')],
  ['a question for a checkout', () => billing.checkout('cs_123')],
  ['a question for what it told', () => billing.since(new Date(Date.now() - 86_400_000), 10)],
])('Stripe takes %s', async (_, ask) => {
  await expect(ask()).resolves.not.toThrow()
})

it.runIf(canRun)('a subscription that is not ours is told as such', async () => {
  await expect(billing.subscription('sub_123')).rejects.toMatchObject({ why: 'refused' })
})
