import { buffer } from 'node:stream/consumers'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import { uprightPicture } from '../../../engines/outgoing/picture.ts'
import { type Language, text } from '../../../http/texts.ts'
import type { Authorized } from '../../core/access/index.ts'
import { homeOf } from '../../people/mail/index.ts'
import {
  discoveryPrefix,
  isUpright,
  orientationOf,
  printerTopic,
  serverWord,
  statusTopic,
} from '../../tell/notifications/index.ts'
import { readPicture } from '../../core/presence/index.ts'
import { ShownPrinter } from '../printers/index.ts'
import { discoveryOf } from './discovery.rules.ts'
import type { LinkRow } from './links.queries.ts'
import { toldOf } from './state.rules.ts'

const PICTURE_MOST = 1280

/** Something to be published: what is kept is told to who comes later, too. */
export interface Letter {
  readonly topic: string
  readonly payload: string | Buffer
  readonly isKept: boolean
}

/** One printer on one broker: what was told of it, so that only what is new is told. */
export class BrokerPrinter extends ShownPrinter {
  readonly #ctx: Ctx
  readonly #link: LinkRow
  readonly #told = new Map<string, string>()
  #pictureAt = 0
  /** A button of it is at work: others that are pressed meanwhile do nothing. */
  isPressed = false

  constructor(ctx: Ctx, link: LinkRow, printer: Authorized<'control'>, onDirty: () => void) {
    super(ctx, {
      printerId: printer.id,
      mayAct: () => Promise.resolve(printer),
      userId: link.userId,
      edge: { origin: '', prefix: '' },
      initiator: 'api',
      hasTerminal: false,
      say: () => undefined,
      onDirty,
    })
    this.#ctx = ctx
    this.#link = link
  }

  get language(): Language {
    return this.#link.language === 'zh' ? 'zh' : 'en'
  }

  topic(what: string): string {
    return printerTopic(this.#ctx.config, this.id, what)
  }

  get #id(): string {
    return `vigil_${serverWord(this.#ctx.config)}_${this.id}`
  }

  get #discoveryTopic(): string {
    return `${discoveryPrefix(this.#link.config)}/device/${this.#id}/config`
  }

  /** What is new of it. */
  async letters(): Promise<Letter[]> {
    const printer = this.whole()
    const told = toldOf(printer)
    const base = homeOf(this.#ctx, this.#link)
    const discovery = discoveryOf(
      {
        id: this.#id,
        name: printer.name,
        agent: printer.agent_name,
        version: this.#ctx.config.version,
        page: base && `${base}/printers/${this.id}/control/`,
        status: statusTopic(this.#ctx.config, this.#link.userId),
        topic: (what) => this.topic(what),
        say: (key) => text('home-assistant-server', key).in(this.language),
      },
      told,
    )
    const kept = [
      { topic: this.#discoveryTopic, payload: JSON.stringify(discovery), isKept: true },
      { topic: this.topic('state'), payload: JSON.stringify(told), isKept: true },
    ].filter(({ topic, payload }) => this.#told.get(topic) !== payload)
    for (const { topic, payload } of kept) this.#told.set(topic, payload)
    const picture = await this.#newPicture(printer)
    return picture ? [...kept, { topic: this.topic('picture'), payload: picture, isKept: false }] : kept
  }

  /** Tells all of it once more: whoever it was told to is gone. */
  tellAnew(): void {
    this.#told.clear()
    this.#pictureAt = 0
  }

  /** What takes it away from the broker. */
  withdrawn(): Letter[] {
    const topics = [this.#discoveryTopic, this.topic('state'), this.topic('alert')]
    return topics.map((topic) => ({ topic, payload: '', isKept: true }))
  }

  async #newPicture({ settings }: Printer): Promise<Buffer | null> {
    const found = await readPicture(this.#ctx, this.id)
    if (found === null || found.at <= this.#pictureAt) return null
    this.#pictureAt = found.at
    const stored = found.raw && (await this.#ctx.files.get(found.raw))
    if (stored === null) return null
    const turned = orientationOf(settings)
    const bytes = await buffer(stored)
    return isUpright(turned) ? bytes : await uprightPicture(bytes, turned, PICTURE_MOST)
  }
}
