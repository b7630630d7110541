import type { MqttClient } from 'mqtt'
import type { Ctx } from '../../../ctx.ts'
import type { Lease } from '../../../engines/live/port.ts'
import { openBroker } from '../../../engines/outgoing/broker.ts'
import { inNameOf } from '../../../http/principal.ts'
import { authorizePrinters } from '../../core/access/index.ts'
import { backOff, brokerOf, serverWord, statusTopic } from '../../tell/notifications/index.ts'
import { findViews } from '../printers/index.ts'
import { pressedIn, press } from './commands.service.ts'
import type { LinkRow } from './links.queries.ts'
import { BrokerPrinter, type Letter } from './shown.ts'

/** A printer is told of this often at most. */
const TURN_MS = 2_000
/** What others share with this person is not shown on their broker. */
const OWN = { isOwn: true }
/** Which printers there are is asked this often. */
const LIST_EVERY_MS = 20_000
/** The broker answers every 5 s: what comes after a longer silence was on its way for nobody knows how long. */
const SILENT_MS = 8_000
/** All of that comes within this time. */
const BURST_MS = 1_000
/** Age changes what is true. */
const LOOK_AGAIN_MS = 5_000

/**
 * One person's broker: their printers are shown there, and its buttons act. It is held by a lease, so that one node alone
 * speaks; a connection that is lost is opened again, later each time, and what was asked meanwhile is lost with it.
 */
export class BrokerLink {
  readonly row: LinkRow
  readonly #ctx: Ctx
  readonly #lease: Lease
  readonly #printers = new Map<number, BrokerPrinter>()
  #client: MqttClient | null = null
  #timer: NodeJS.Timeout | null = null
  #isBusy = false
  #isClosed = false
  #tries = 0
  #connectAt = 0
  #listAt = 0
  #lookAt = 0
  #heardAt = 0
  #staleUntil = 0

  constructor(ctx: Ctx, row: LinkRow, lease: Lease) {
    this.#ctx = ctx
    this.row = row
    this.#lease = lease
    this.#schedule(0)
  }

  /** Renews what it holds; false when another node has it. */
  async keep(): Promise<boolean> {
    return await this.#lease.renew().catch(() => true)
  }

  /** Ends; `forget` also takes away what the broker keeps. */
  async close({ forget = false } = {}): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const client = this.#client
    this.#client = null
    const printers = [...this.#printers.values()]
    for (const printer of printers) printer.close()
    this.#printers.clear()
    if (client?.connected) {
      const last = [
        ...(forget ? printers.flatMap((printer) => printer.withdrawn()) : []),
        this.#status(forget ? '' : 'offline'),
      ]
      await this.#publish(client, last).catch(() => undefined)
    }
    await client?.endAsync().catch(() => undefined)
    await this.#lease.release().catch(() => undefined)
  }

  #status(payload: string): Letter {
    return { topic: statusTopic(this.#ctx.config, this.row.userId), payload, isKept: true }
  }

  #schedule(ms: number): void {
    if (this.#isClosed || this.#isBusy || this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#turn()
    }, ms).unref()
  }

  async #turn(): Promise<void> {
    this.#isBusy = true
    try {
      const now = this.#ctx.clock.monotonic()
      if (this.#client === null && now >= this.#connectAt) await this.#connect()
      if (this.#client !== null) await this.#tell(this.#client, now)
    } catch (error) {
      this.#ctx.log.warn({ err: error, settingId: this.row.id }, 'a broker could not be served')
    }
    this.#isBusy = false
    this.#schedule(TURN_MS)
  }

  async #connect(): Promise<void> {
    // Whoever has lost the lease without hearing of it must not drive the other from the broker.
    if (!(await this.#lease.renew())) return
    const { topic } = this.#status('')
    const will = { topic, payload: 'offline' }
    const clientId = `vigil-${serverWord(this.#ctx.config)}-${this.row.id}`
    try {
      const client = await openBroker(this.#ctx.config, brokerOf(this.row.config), { clientId, will })
      if (this.#isClosed) return void client.end(true)
      this.#take(client)
      for (const printer of this.#printers.values()) await this.#show(client, printer)
      await this.#publish(client, [this.#status('online')])
      this.#tries = 0
    } catch (error) {
      this.#lost()
      this.#ctx.log.info({ err: error, settingId: this.row.id }, 'a broker cannot be reached')
    }
  }

  #take(client: MqttClient): void {
    this.#client = client
    client.on('error', () => undefined)
    this.#heardAt = this.#ctx.clock.monotonic()
    client.on('packetreceive', () => {
      const now = this.#ctx.clock.monotonic()
      if (now - this.#heardAt > SILENT_MS) this.#staleUntil = now + BURST_MS
      this.#heardAt = now
    })
    client.once('close', () => {
      if (this.#client === client) this.#lost()
    })
    client.on('message', (topic, payload, { retain }) => {
      // What is kept for whoever comes was said at another time.
      if (retain || this.#client !== client) return
      const printer = [...this.#printers.values()].find((one) => one.topic('command') === topic)
      if (printer) void this.#press(client, printer, payload)
    })
  }

  #lost(): void {
    this.#client?.end(true)
    this.#client = null
    this.#connectAt = this.#ctx.clock.monotonic() + backOff(++this.#tries)
  }

  /** From now on its buttons act, and all of it is told. */
  async #show(client: MqttClient, printer: BrokerPrinter): Promise<void> {
    // What was kept is not sent, and what is to be kept says so.
    await client.subscribeAsync(printer.topic('command'), { qos: 0, rh: 2, rap: true })
    printer.tellAnew()
    printer.mark('rows')
  }

  async #press(client: MqttClient, printer: BrokerPrinter, payload: Buffer): Promise<void> {
    const pressed = pressedIn(payload)
    if (pressed === null || printer.isPressed) return
    printer.isPressed = true
    try {
      if (!(await this.#lease.renew())) return
      const isLate = this.#heardAt < this.#staleUntil
      const who = { isLate, printer: printer.whole(), userId: this.row.userId, language: printer.language }
      const outcome = await press(this.#ctx, who, pressed)
      printer.mark('rows')
      await this.#publish(client, [
        { topic: printer.topic('result'), payload: JSON.stringify(outcome), isKept: false },
      ])
    } catch (error) {
      this.#ctx.log.warn({ err: error, printerId: printer.id }, 'a button on a broker did nothing')
    } finally {
      printer.isPressed = false
    }
  }

  async #tell(client: MqttClient, now: number): Promise<void> {
    if (now >= this.#listAt) {
      await this.#list(client)
      this.#listAt = now + LIST_EVERY_MS
    }
    if (now >= this.#lookAt) {
      for (const printer of this.#printers.values()) printer.mark('time')
      this.#lookAt = now + LOOK_AGAIN_MS
    }
    const due = [...this.#printers.values()].filter((printer) => printer.isDirty)
    await this.#read(due)
    for (const printer of due) {
      if (printer.isGone) await this.#drop(client, printer)
      else await this.#publish(client, await printer.letters())
    }
  }

  /** Brings printers up to date: live keys for some, and rows for those that need them. */
  async #read(printers: readonly BrokerPrinter[]): Promise<void> {
    for (const printer of printers) printer.begin()
    try {
      await Promise.all(printers.map((printer) => printer.readPresence()))
      const stale = printers.filter((printer) => printer.needsRows)
      if (stale.length === 0) return
      const views = await this.#views(stale.map(({ id }) => id))
      for (const printer of stale) printer.take(views.get(printer.id))
    } catch (error) {
      for (const printer of printers) printer.mark('rows')
      throw error
    }
  }

  async #views(ids?: readonly number[]) {
    const principal = inNameOf(this.row)
    const found = await findViews(this.#ctx.db, { principal, action: 'see', isOwn: true }, ids)
    return new Map(found.map((view) => [view.printer.id, view]))
  }

  /** Takes up printers that are new, and drops those that are gone. */
  async #list(client: MqttClient): Promise<void> {
    const views = await this.#views()
    const fresh = [...views.keys()].filter((id) => !this.#printers.has(id))
    for (const authorized of await authorizePrinters(this.#ctx, inNameOf(this.row), fresh, 'control', OWN)) {
      const printer = new BrokerPrinter(this.#ctx, this.row, authorized, () => undefined)
      printer.take(views.get(printer.id))
      this.#printers.set(printer.id, printer)
      await printer.listen()
      await this.#show(client, printer)
    }
    for (const printer of this.#printers.values())
      if (!views.has(printer.id)) await this.#drop(client, printer)
  }

  async #drop(client: MqttClient, printer: BrokerPrinter): Promise<void> {
    this.#printers.delete(printer.id)
    printer.close()
    await client.unsubscribeAsync(printer.topic('command'))
    await this.#publish(client, printer.withdrawn())
  }

  async #publish(client: MqttClient, letters: readonly Letter[]): Promise<void> {
    for (const { topic, payload, isKept } of letters)
      await client.publishAsync(topic, payload, { qos: isKept ? 1 : 0, retain: isKept })
  }
}
