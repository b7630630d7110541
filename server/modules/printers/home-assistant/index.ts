import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { BrokerLink } from './link.ts'
import { findLinks, isSetUp, type LinkRow } from './links.queries.ts'

const LOOK_EVERY_MS = 2_000
/** Who dies is followed by another node after this long. */
const LEASE_MS = 20_000
/** Brokers that one node serves; others take what is left. */
const MOST = 2_000

const keyOf = ({ id }: Pick<LinkRow, 'id'>) => `mqtt:${id}`

const isSame = (a: LinkRow, b: LinkRow) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Shows the printers of whoever has set up the channel `mqtt` to Home Assistant and the like, live, and has its buttons act
 * (docs/wire/tell.md 9). What is told of events goes by the channel itself.
 */
export function registerHomeAssistant(app: FastifyInstance, ctx: Ctx): void {
  if (ctx.config.ROLE === 'web') return
  const name = randomUUID()
  const links = new Map<number, BrokerLink>()

  async function end(link: BrokerLink, how?: { forget: boolean }): Promise<void> {
    links.delete(link.row.id)
    await link.close(how)
  }
  async function look(): Promise<void> {
    const rows = new Map((await findLinks(ctx.db, MOST)).map((row) => [row.id, row]))
    const held = await Promise.all(
      [...links.values()].map(async (link) => ({ link, isOurs: await link.keep() })),
    )
    for (const { link, isOurs } of held) {
      const row = rows.get(link.row.id)
      if (!isOurs) await end(link)
      else if (row === undefined) await end(link, { forget: !(await isSetUp(ctx.db, link.row.id)) })
      // Where it was told until now, nothing is true any more.
      else if (!isSame(row, link.row)) await end(link, { forget: true })
    }
    for (const row of rows.values()) {
      if (links.has(row.id) || (await ctx.live.get(keyOf(row))) !== null) continue
      const lease = await ctx.live.claim(keyOf(row), name, LEASE_MS)
      links.set(row.id, new BrokerLink(ctx, row, lease))
    }
  }

  everyTick(ctx, LOOK_EVERY_MS, look)
  app.addHook(
    'onReady',
    () => void look().catch((error: unknown) => ctx.log.error({ err: error }, 'brokers')),
  )
  app.addHook('onClose', async () => {
    await Promise.allSettled([...links.values()].map((link) => end(link)))
  })
}
