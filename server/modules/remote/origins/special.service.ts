import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { mediaUrl } from '../../core/media/index.ts'
import { readPicture } from '../../core/presence/index.ts'
import { carry } from '../carry/carry.service.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'
import { addUsage, usageOf } from '../grants/usage.service.ts'
import { findFacts } from './special.queries.ts'

/** Paths of ours on a tunnel's origin: the printer's page never sees a request for one. */
export const isSpecial = (path: string): boolean => /^\/+_tsd_(\/|$)/i.test(path)

const MAX_ANSWER = 1_048_576

interface Asked {
  readonly path: string
  /** The app, for signed addresses. */
  readonly app: string
  readonly signal: AbortSignal
}

/** What a special path answers, as JSON; null: there is no such path (docs/wire/remote.md 7). */
export async function special(
  ctx: Ctx,
  tunnel: TunnelRow,
  { path, app, signal }: Asked,
): Promise<object | null> {
  switch (path.split('?', 1)[0]?.toLowerCase()) {
    case '/_tsd_/tunnelusage/':
      return await usageOf(ctx, tunnel.userId)
    case '/_tsd_/webcam/0/':
      return { snapshot: await snapshotUrl(ctx, tunnel.printerId, app) }
    case '/_tsd_/prediction/':
      return { normalized_p: (await findFacts(ctx.db, tunnel.printerId))?.normalizedP ?? 0 }
    case '/_tsd_/dest_platform_info/':
      return await platformOf(ctx, tunnel, signal)
    default:
      return null
  }
}

async function snapshotUrl(ctx: Ctx, printerId: PrinterId, app: string): Promise<string | null> {
  const picture = await readPicture(ctx, printerId)
  if (picture === null || picture.raw === null) return null
  const { origin, pathname } = new URL(app)
  return mediaUrl(ctx, picture.raw, { origin, prefix: pathname.replace(/\/$/, '') }, picture.at)
}

const addresses = z.array(
  z.object({ family: z.string(), address: z.string(), is_link_local: z.boolean().optional() }),
)
const systemInfo = z.object({
  result: z.object({
    system_info: z.object({ network: z.record(z.string(), z.object({ ip_addresses: addresses })) }),
  }),
})
const serverConfig = z.object({
  result: z.object({ config: z.object({ server: z.object({ port: z.number() }) }) }),
})

/** Where Moonraker is at home, as it says itself: IPv4 before IPv6. Nothing for OctoPrint, and when it does not say. */
async function platformOf(ctx: Ctx, tunnel: TunnelRow, signal: AbortSignal): Promise<object> {
  const facts = await findFacts(ctx.db, tunnel.printerId)
  if (facts === undefined || !/moonraker|klipper/i.test(facts.agentName ?? '')) return {}
  try {
    const ask = async (path: string): Promise<unknown> =>
      JSON.parse(await localText(ctx, tunnel, path, signal))
    const [info, config] = await Promise.all([ask('/machine/system_info'), ask('/server/config')])
    const found = Object.values(systemInfo.parse(info).result.system_info.network)
      .flatMap(({ ip_addresses: all }) => all)
      .filter(({ is_link_local: isLocal }) => isLocal !== true)
      .toSorted((a, b) => a.family.localeCompare(b.family))
    const { port } = serverConfig.parse(config).result.config.server
    const [first] = found
    return first === undefined ? {} : { server_ip: first.address, server_port: port, linked_name: facts.name }
  } catch (error) {
    ctx.log.debug({ err: error }, 'a printer does not say where it is')
    return {}
  }
}

async function localText(ctx: Ctx, tunnel: TunnelRow, path: string, signal: AbortSignal): Promise<string> {
  const request = { method: 'GET', path, headers: {}, signal, class: 'document' } as const
  const answer = await carry(ctx, tunnel.printerId, request, (bytes) => addUsage(ctx, tunnel.userId, bytes))
  // What is so long that its length is not known before it is unpacked may be a bomb.
  if (answer.status !== 200 || (answer.length ?? Infinity) > MAX_ANSWER)
    throw new Error(`${path}: ${answer.status}`)
  return (await buffer(Readable.from(answer.body))).toString()
}
