import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Db } from '../db/port.ts'

/** What a plan comes to in one bill, in whole cents, before tax. */
const cents = z.object({ base: z.int(), printers: z.int(), pack: z.int() })

/** What was agreed of a plan. The provider keeps it with the subscription, so that each bill tells what it was for. */
export const deal = z.object({
  planId: z.string(),
  cycle: z.enum(['annual', 'monthly']),
  /** One bill is for so many months. */
  months: z.int(),
  printers: z.int(),
  packLevel: z.string(),
  /** A partner's discount on each bill: part of `cents` already. */
  percentOff: z.int(),
  cents,
})
export type Deal = Readonly<z.infer<typeof deal>>

/** A part of a bill. */
export interface Line {
  readonly what: 'base' | 'printers' | 'pack' | 'hours'
  /** As its buyer reads it on the provider's page. */
  readonly name: string
  readonly cents: number
}

/** What somebody wants to buy. */
export interface Order {
  /** Ours: told again with all that comes of it. */
  readonly checkoutId: string
  readonly customerId: string
  readonly language: 'en' | 'zh'
  readonly currency: string
  readonly lines: readonly Line[]
  /** A plan; null: bought once. */
  readonly deal: Deal | null
  /** Taken off the first bill alone. */
  readonly firstOffCents: number
  /** Where the buyer goes afterwards, and where without buying. */
  readonly returnTo: string
  readonly cancelTo: string
  /** This server's own address, without a slash at its end. */
  readonly home: string
  /** Nobody can pay by it any more. */
  readonly expiresAt: Date
}

/** Money that was given back of a payment. */
export interface Refund {
  readonly id: string
  readonly cents: number
  readonly at: Date
  /** A bank sent it back, maybe days later: it is there again. */
  readonly hasFailed: boolean
}

/** Money that came. */
export interface Paid {
  readonly id: string
  /** Tax included. */
  readonly cents: number
  readonly taxCents: number
  readonly currency: string
  readonly at: Date
  readonly refunds: readonly Refund[]
}

/** A checkout as it is now. `pending`: the buyer has done their part, and the money has not come yet. */
export interface CheckoutNow {
  readonly id: string
  readonly checkoutId: string
  readonly state: 'open' | 'pending' | 'paid' | 'closed'
  readonly subscriptionId: string | null
  /** Of what was bought once. */
  readonly paid: Paid | null
}

/** What a plan becomes with the next bill. */
export interface Next {
  readonly deal: Deal
  readonly from: Date
}

/** The same as it is kept with our own row. */
export interface KeptNext {
  readonly deal: Deal
  readonly from: string
}

/** A subscription as it is now. */
export interface Billed {
  readonly id: string
  /** By which of our checkouts it began. */
  readonly checkoutId: string
  readonly customerId: string
  readonly state: 'incomplete' | 'active' | 'past_due' | 'ended'
  /** Ends with what is paid. */
  readonly willEnd: boolean
  readonly termEnd: Date
  /** Since when the bill that was due is not paid. */
  readonly failedAt: Date | null
  readonly deal: Deal
  readonly next: Next | null
  readonly currency: string
  /** The newest. */
  readonly payments: readonly Paid[]
}

/** What a change comes to now. */
export interface Due {
  /** Tax included. */
  readonly cents: number
  readonly taxCents: number
  readonly lines: readonly { readonly what: string; readonly cents: number }[]
}

/** Another deal: from now on, charged to the moment, or from the next bill on; `back`: what was planned for that is not wanted any more. */
export interface Change {
  readonly deal: Deal
  readonly lines: readonly Line[]
  readonly from: 'now' | 'renewal' | 'back'
  /** The moment for which it was shown. */
  readonly at: Date
  /** The subscription as it was looked at. */
  readonly before: Billed
}

export interface Subject {
  readonly kind: 'checkout' | 'subscription' | 'payment'
  readonly id: string
}

/** Something has happened; what, is asked then: news come late, twice, in any order, or never. */
export interface Told {
  readonly id: string
  readonly at: Date
  /** Null: nothing that concerns us. */
  readonly about: Subject | null
}

/**
 * Why a provider did not do what was asked. `away`: nobody knows, try again. `declined`: the buyer's bank refuses. `refused`: it will not
 * do it. `forged`: what came is not from it.
 */
export type BillingWhy = 'away' | 'declined' | 'refused' | 'forged'

export class BillingTrouble extends Error {
  override readonly name = 'BillingTrouble'
  readonly why: BillingWhy
  constructor(why: BillingWhy, cause?: unknown) {
    super(`the billing provider: ${why}`, { cause })
    this.why = why
  }
}

/**
 * Who takes the money. Its pages alone see how somebody pays. All that it is asked can be asked again: the same is not done twice. Each
 * raises `BillingTrouble`.
 */
export interface Billing {
  readonly name: 'sandbox' | 'stripe'
  /** The provider's number for an account, new where there is none. */
  customer(account: { readonly userId: number; readonly email: string }): Promise<string>
  open(order: Order): Promise<{ readonly id: string; readonly url: string }>
  checkout(id: string): Promise<CheckoutNow>
  /** Nobody can pay by it any more. */
  close(id: string): Promise<void>
  /** A page on which means of payment are changed. */
  portal(
    customerId: string,
    way: Pick<Order, 'returnTo' | 'home'>,
  ): Promise<{ readonly url: string; readonly expiresAt: Date }>
  subscription(id: string): Promise<Billed>
  preview(change: Change): Promise<Due>
  change(change: Change): Promise<void>
  /** Ends with what is paid, or goes on after all. */
  setEnding(id: string, willEnd: boolean): Promise<void>
  /** Ends at once; nothing is charged or given back. */
  end(id: string): Promise<void>
  payment(id: string): Promise<Paid>
  refund(paymentId: string, cents: number, key: string): Promise<void>
  /** Who goes: nothing is charged any more, and nothing is kept of them but what books ask for. */
  forget(customerId: string): Promise<void>
  /** What came by the webhook; null: it is of them, and cannot be read. Raises `forged` for what it did not sign. */
  read(raw: Buffer, headers: Readonly<Record<string, unknown>>): Told | null
  /** What it has told since then, oldest first, so many at most; null for each that cannot be read. */
  since(at: Date, most: number): Promise<(Told | null)[]>
}

/** What a provider stands on. */
export interface Standing {
  readonly config: Config
  readonly db: Db
  readonly clock: { now(): number }
}
