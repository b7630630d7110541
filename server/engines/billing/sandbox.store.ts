import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/port.ts'
import { BillingTrouble, type Subject } from './port.ts'
import * as queries from './sandbox.queries.ts'
import {
  checkoutBody,
  customerBody,
  eventBody,
  paymentBody,
  portalBody,
  subscriptionBody,
  termEnd,
} from './sandbox.rules.ts'

/** What the sandbox stands on. */
export interface Here {
  readonly db: Db
  readonly clock: { now(): number }
}

interface Bodies {
  customer: z.infer<typeof customerBody>
  checkout: z.infer<typeof checkoutBody>
  subscription: z.infer<typeof subscriptionBody>
  payment: z.infer<typeof paymentBody>
  portal: z.infer<typeof portalBody>
  event: z.infer<typeof eventBody>
}
type Kind = keyof Bodies

const READ: { readonly [K in Kind]: (body: unknown) => Bodies[K] } = {
  customer: (body) => customerBody.parse(body),
  checkout: (body) => checkoutBody.parse(body),
  subscription: (body) => subscriptionBody.parse(body),
  payment: (body) => paymentBody.parse(body),
  portal: (body) => portalBody.parse(body),
  event: (body) => eventBody.parse(body),
}

/** A document with what it says. */
export interface Doc<K extends Kind> {
  readonly id: string
  /** The customer; of a payment, what it was for. */
  readonly owner: string
  readonly body: Bodies[K]
}

const PREFIXES: Record<Kind, string> = {
  customer: 'cus',
  checkout: 'cs',
  subscription: 'sub',
  payment: 'pay',
  portal: 'po',
  event: 'evt',
}
export const newId = (kind: Kind) => `sandbox_${PREFIXES[kind]}_${randomBytes(16).toString('hex')}`
export const now = ({ clock }: Here) => new Date(clock.now())

const docOf = <K extends Kind>(
  kind: K,
  { id, owner, body }: { id: string; owner: string; body: unknown },
): Doc<K> => ({ id, owner, body: READ[kind](body) })

/** A document; held until the transaction ends where there is one. Raises `refused` for none. */
export async function get<K extends Kind>({ db }: Here, kind: K, id: string): Promise<Doc<K>> {
  const row = await (db.isTransaction ? queries.lockObject : queries.findObject)(db, kind, id)
  if (row === undefined) throw new BillingTrouble('refused', `no ${kind} ${id.slice(0, 80)}`)
  return docOf(kind, row)
}

/** Of an owner, newest first. */
export async function list<K extends Kind>({ db }: Here, kind: K, owner: string): Promise<Doc<K>[]> {
  return (await queries.findObjects(db, kind, owner, 24)).map((row) => docOf(kind, row))
}

/** What wants to be looked at by now. */
export async function due<K extends Kind>(here: Here, kind: K): Promise<Doc<K>[]> {
  return (await queries.findDueObjects(here.db, kind, now(here), 200)).map((row) => docOf(kind, row))
}

/** What was told since a moment, oldest first. */
export async function eventsSince({ db }: Here, at: Date, most: number): Promise<Doc<'event'>[]> {
  return (await queries.findObjectsSince(db, 'event', at, most)).map((row) => docOf('event', row))
}

export async function put<K extends Kind>(
  here: Here,
  kind: K,
  doc: Doc<K>,
  dueAt: Date | null = null,
): Promise<void> {
  await queries.putObject(here.db, { ...doc, kind, dueAt, createdAt: now(here) })
}

/** Nothing is left of a customer but money that moved. */
export const forget = ({ db }: Here, customerId: string): Promise<void> =>
  queries.deleteObjects(db, customerId)

/** A subscription is looked at again when its term ends. */
export async function putSubscription(here: Here, doc: Doc<'subscription'>): Promise<void> {
  const waits = doc.body.state === 'active' ? termEnd(doc.body) : null
  await put(here, 'subscription', doc, waits)
  await tell(here, { kind: 'subscription', id: doc.id })
}

/** Something has happened: it is told until somebody has heard. */
export async function tell(here: Here, about: Subject): Promise<void> {
  const at = now(here)
  await put(here, 'event', { id: newId('event'), owner: about.id, body: { at, about } }, at)
}

/** All or nothing, one at a time for what is read in it. */
export const together = <T>(here: Here, work: (inside: Here) => Promise<T>): Promise<T> =>
  inTransaction(here.db, async (db) => await work({ ...here, db }))
