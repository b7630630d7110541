import type { Ctx } from '../../../ctx.ts'
import { ShownPrinter, type ShownOptions } from '../live/shown.ts'

/** A printer is told of once a second at most. */
const EVERY_MS = 1_000
/** When the agent was last seen changes with every status: it is told this often while nothing else is new of it. */
const SEEN_EVERY_MS = 30_000

/** One printer on an account's socket: what the browser holds of it, so that only what is new since is told. */
export class Card extends ShownPrinter {
  readonly #held: Held = new Map()
  #heldStatus: Held | null = null
  #sentAt = 0
  #seenSentAt = 0
  isNew = true

  constructor(ctx: Ctx, options: Omit<ShownOptions, 'hasTerminal' | 'initiator'>) {
    // A page of many printers has no terminal.
    super(ctx, { ...options, initiator: 'web', hasTerminal: false })
  }

  isDue(now: number): boolean {
    return this.isDirty && (this.isNew || now - this.#sentAt >= EVERY_MS)
  }

  /** The whole Printer as JSON. */
  full(now: number): string {
    const { status, ...rest } = this.whole()
    this.isNew = false
    this.#sentAt = this.#seenSentAt = now
    const changes = update(this.#held, rest)
    return `{${changes},${this.#statusChanges(status) || '"status":null'}}`
  }

  /** What changed since the browser was told, as the inside of a JSON object; '' for nothing. */
  patch(now: number): string {
    const isHeld = (reason: string | null) => this.#held.get('not_watching_reason') === JSON.stringify(reason)
    const { status, agent, ...rest } = this.news(isHeld)
    const isSeenDue = now - this.#seenSentAt >= SEEN_EVERY_MS
    const isAgentNews = !this.#held.get('agent')?.includes(`"state":"${agent.state}"`)
    const changes = [update(this.#held, rest), this.#statusChanges(status)]
    if (isSeenDue || isAgentNews) {
      this.#seenSentAt = now
      changes.push(update(this.#held, { agent }))
    }
    const patch = changes.filter((one) => one !== '').join(',')
    if (patch !== '') this.#sentAt = now
    return patch
  }

  #statusChanges(status: object | null): string {
    if (status === null) {
      const isNews = this.#heldStatus !== null
      this.#heldStatus = null
      return isNews ? '"status":null' : ''
    }
    this.#heldStatus ??= new Map()
    const changes = replace(this.#heldStatus, status)
    return changes === '' ? '' : `"status":{${changes}}`
  }
}

/** An object as browsers hold it: the JSON of each of its keys, so that a change is found without a second look. */
type Held = Map<string, string>

/** Brings `held` up to the keys of `part`; returns what changed as the inside of a JSON object, '' for nothing. */
export function update(held: Held, part: object): string {
  let changes = ''
  for (const [key, value] of Object.entries(part)) {
    const json = JSON.stringify(value) as string | undefined
    if (json === undefined || held.get(key) === json) continue
    held.set(key, json)
    changes += `${changes === '' ? '' : ','}${JSON.stringify(key)}:${json}`
  }
  return changes
}

/** As `update`, for an object that is whole: keys that it lacks are told as null. */
export function replace(held: Held, whole: object): string {
  let changes = update(held, whole)
  for (const key of held.keys()) {
    if (Object.hasOwn(whole, key)) continue
    held.delete(key)
    changes += `${changes === '' ? '' : ','}${JSON.stringify(key)}:null`
  }
  return changes
}
