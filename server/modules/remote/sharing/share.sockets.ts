import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { unavailable } from '../../../http/errors.ts'
import { keepBrowser } from '../../../http/outbox.ts'
import { socket, type SocketCall } from '../../../http/socket.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { addViewer } from '../../core/commands/index.ts'
import { readFrame } from '../../printers/printers/index.ts'
import { followCrowd, tellCrowd } from '../share-links/crowd.service.ts'
import { askForIdleStill, followLink, remember } from '../share-links/share-access.service.ts'
import { Room } from './room.ts'
import { findAllShown, type ShownLink } from '../share-links/share-links.queries.ts'

/** Whoever has a link has no account to stop: a link's viewers on one node. */
const MOST_VIEWERS = 500
/** Links are looked at again this often, should word of their end have been lost. */
const TICK_MS = 5_000
const MAX_MESSAGE = 16_384
const STILL_EVERY_MS = 4_000

/** `/ws/share_token/web/{token}/`: name, picture and camera settings to viewers (docs/wire/browsers.md 1; docs/rules/remote.md 1). */
export function shareSockets(app: FastifyInstance, ctx: Ctx): void {
  const crowd = new Crowd(ctx)
  followCrowd(ctx).catch((error: unknown) => ctx.log.error({ err: error }, 'viewers cannot be counted'))
  everyTick(ctx, TICK_MS, () => crowd.tick())
  socket(
    app,
    { path: '/ws/share_token/web/:token/', callers: ['anyone'], maxMessage: MAX_MESSAGE },
    {
      before: async (call) => {
        const link = await followLink(ctx, 'share-opened', call)
        if (crowd.sizeOf(link.id) >= MOST_VIEWERS) throw unavailable('Too many people are watching.')
        return link
      },
      open: (ws, call, link) => {
        // Many at once pass the first look together: what counts is who is already in.
        if (crowd.sizeOf(link.id) >= MOST_VIEWERS) return ws.close(1013, 'Too many people are watching.')
        return serve(ctx, crowd, ws, call, link)
      },
    },
  )
}

async function serve(
  ctx: Ctx,
  crowd: Crowd,
  ws: WebSocket,
  call: SocketCall,
  link: ShownLink,
): Promise<void> {
  ws.on('error', () => ws.terminate())
  keepBrowser(ws)
  const watching = addViewer(ctx, link.printerId)
  let askedAt = -Infinity
  // Of all that viewers may say this is heard, and no more.
  ws.on('message', (data, isBinary) => {
    const now = ctx.clock.monotonic()
    if (now - askedAt < STILL_EVERY_MS || !Buffer.isBuffer(data)) return
    if (readFrame(data, isBinary)['still'] !== true) return
    askedAt = now
    void askForIdleStill(ctx, link.printerId)
  })
  ws.on('close', () => {
    crowd.leave(ws, link)
    void watching.then(
      (stop) => stop(),
      () => undefined,
    )
  })
  remember(ctx, link.id)
  await Promise.all([watching, crowd.enter(ws, call, link)])
}

/** All viewers of this node, by link. */
class Crowd {
  readonly #ctx: Ctx
  readonly #node = randomUUID()
  readonly #rooms = new Map<string, Room>()

  constructor(ctx: Ctx) {
    this.#ctx = ctx
  }

  sizeOf(linkId: Id<'sharedResources'>): number {
    return this.#sizes().get(linkId) ?? 0
  }

  async enter(ws: WebSocket, { edge }: SocketCall, link: ShownLink): Promise<void> {
    const key = keyOf(link)
    const room = this.#rooms.get(key) ?? new Room(this.#ctx, link)
    this.#rooms.set(key, room)
    const entered = room.enter(ws, edge)
    this.#tell(link.id)
    await entered
  }

  leave(ws: WebSocket, link: ShownLink): void {
    const room = this.#rooms.get(keyOf(link))
    if (room?.leave(ws)) this.#rooms.delete(keyOf(link))
    this.#tell(link.id)
  }

  /** Says again who is here, and ends what has ended without a word. */
  async tick(): Promise<void> {
    tellCrowd(this.#ctx, { node: this.#node, all: true, links: [...this.#sizes()] })
    const rooms = [...this.#rooms.values()]
    if (rooms.length === 0) return
    const shown = await findAllShown(
      this.#ctx.db,
      rooms.map(({ link }) => link.id),
    )
    const byId = new Map(shown.map((link) => [link.id, link]))
    for (const room of rooms) room.check(byId.get(room.link.id))
  }

  #tell(linkId: Id<'sharedResources'>): void {
    tellCrowd(this.#ctx, { node: this.#node, all: false, links: [[linkId, this.sizeOf(linkId)]] })
  }

  #sizes(): Map<Id<'sharedResources'>, number> {
    const sizes = new Map<Id<'sharedResources'>, number>()
    for (const { link, size } of this.#rooms.values()) sizes.set(link.id, (sizes.get(link.id) ?? 0) + size)
    return sizes
  }
}

const keyOf = ({ id, pinHash }: ShownLink) => `${id} ${pinHash}`
