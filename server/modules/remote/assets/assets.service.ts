import { join } from 'node:path'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type AssetKind, assetKindOf, isPackable, keptHeaders, mayKeep, names } from './assets.rules.ts'
import { type Asset, AssetStore } from './assets.store.ts'
import { pathOf } from '../wire/envelope.rules.ts'
import type { Packing, TunnelAnswer, TunnelRequest } from '../wire/port.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** So long a browser that has a file is told that it is the same, without asking the printer's page. */
const SHORTCUT_MS = 3 * 86_400_000
const FOR_EVER = 'private, max-age=31536000, immutable'
const MB = 1_048_576
const PIECE = 65_536

/** Each node's files. */
const filesOf = ofServer((): { store?: AssetStore } => ({}))

export function openAssets(ctx: Ctx): void {
  const { TUNNEL_CACHE_MB, dataFolder } = ctx.config
  if (TUNNEL_CACHE_MB === 0) return
  const store = new AssetStore(join(dataFolder, 'tunnel-assets'), TUNNEL_CACHE_MB * MB)
  filesOf(ctx).store = store
  ctx.events.on('printer.deleted', ({ printerId }) => store.forget(printerId))
}

/**
 * Answers from what this node has kept of the printer's page, if it can: what is named by its content at once, other files of programs once the page
 * has said that they are the same. `ask` asks the page. What sets cookies is not kept with them: these files are the same for everybody.
 */
export async function throughAssets(
  ctx: Ctx,
  printerId: PrinterId,
  request: TunnelRequest,
  ask: (request: TunnelRequest) => Promise<TunnelAnswer>,
): Promise<TunnelAnswer> {
  const { store } = filesOf(ctx)
  const path = pathOf(request.path)
  const kind = path && assetKindOf(path)
  const given = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]))
  if (!store || !path || !kind || request.method.toUpperCase() !== 'GET' || given.has('range'))
    return await ask(request)
  const has = given.get('if-none-match')
  const asset = store.find(printerId, path)
  const now = ctx.clock.monotonic()
  const etag = asset?.headers['etag'] ?? null
  if (asset && names(has, etag) && (kind === 'hashed' || now - asset.seenAt < SHORTCUT_MS))
    return unchanged(asset, kind)
  const asked = { kind, packings: request.packings ?? [] }
  const kept = asset && kind === 'hashed' ? await answerFrom(store, asset, asked) : null
  if (kept !== null) return kept
  // Kept as the page gave it, by the hash of that.
  const plain = { ...request, takesDeflate: false }
  const answer = await ask(etag === null ? plain : { ...plain, headers: asking(request, etag) })
  if (answer.status === 304 && asset && etag !== null) {
    store.confirm(printerId, path, now)
    if (names(has, etag)) return unchanged(asset, kind)
    // It may have made room for others meanwhile.
    return (await answerFrom(store, asset, asked)) ?? (await ask(plain))
  }
  if (!mayKeep(answer.status, answer.headers)) return answer
  const headers = withLife(answer.headers, kind)
  const packing = packingFor(answer.headers, Infinity, asked)
  const seen = { headers: keptHeaders(answer.headers), seenAt: now, packing }
  return { ...answer, headers, cookies: [], body: store.keep(printerId, path, seen, answer.body) }
}

function asking({ headers }: TunnelRequest, etag: string): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => !/^if-(none-match|modified-since)$/i.test(name))
  return { ...Object.fromEntries(others), 'if-none-match': etag }
}

/** For ever, where the name is; and that it comes packed to who can unpack it. */
function withLife(headers: Readonly<Record<string, string>>, kind: AssetKind): Record<string, string> {
  const { vary: _, ...others } = headers
  const isText = isPackable(headers['content-type'], Infinity)
  return {
    ...others,
    ...(isText && { vary: 'accept-encoding' }),
    ...(kind === 'hashed' && { 'cache-control': FOR_EVER }),
  }
}

const headOf = ({ headers }: Asset, kind: AssetKind) => ({ headers: withLife(headers, kind), cookies: [] })

const unchanged = (asset: Asset, kind: AssetKind): TunnelAnswer => ({
  ...headOf(asset, kind),
  status: 304,
  body: nothing(),
  length: 0,
})

async function* nothing(): AsyncGenerator<Uint8Array> {}

interface Asked {
  readonly kind: AssetKind
  readonly packings: readonly Packing[]
}

const packingFor = (headers: Asset['headers'], size: number, { packings }: Asked): Packing | null =>
  isPackable(headers['content-type'], size) ? (packings[0] ?? null) : null

/** A file that is kept; packed as soon as it has been, which nobody waits for. */
async function answerFrom(store: AssetStore, asset: Asset, asked: Asked): Promise<TunnelAnswer | null> {
  const packing = packingFor(asset.headers, asset.size, asked)
  const packed = packing && (await store.packed(asset, packing))
  const bytes = packed ?? (await store.read(asset))
  if (bytes === null) return null
  const plain = { ...headOf(asset, asked.kind), status: 200, body: piecesOf(bytes), length: bytes.length }
  return packed && packing ? { ...plain, packing } : plain
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
