import { join } from 'node:path'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { pathOf } from '../wire/envelope.rules.ts'
import type { Packing, TunnelAnswer, TunnelRequest } from '../wire/port.ts'
import { type Asset, AssetStore } from './assets.store.ts'

/** Files of a printer's page that one browser after the other asks for. */
type AssetKind =
  /** The name changes with the content: it is the same for ever. */
  | 'hashed'
  /** It is the same until the program is updated. */
  | 'static'

/** `/static/webassets/packed_core.js?1a2b3c4d`, as OctoPrint bundles. */
const PACKED = /^\/static\/webassets\/packed_[\w.-]+\?[\da-f]{8,}$/
const STATIC = /^\/(static|assets|css|fonts|img)\/|^\/plugin\/\w+\/static\/|^\/manifest\.webmanifest$/

/** What kind of file stands at a path with its query; null for what may change with every request. */
function assetKindOf(path: string): AssetKind | null {
  if (isHashed(path) || PACKED.test(path)) return 'hashed'
  return STATIC.test(path.split('?', 1)[0] ?? '') ? 'static' : null
}

/** What a build puts at the end of a name; it has a digit or a capital, which a word has not. */
const HASH = /^[-.][\w-]{8}$/

/** `/assets/index-BX3kd9aQ.js`, as Mainsail's and Fluidd's builds name files. */
function isHashed(path: string): boolean {
  if (!path.startsWith('/assets/') || path.includes('?')) return false
  const end = path.slice(0, path.lastIndexOf('.')).slice(-9)
  return HASH.test(end) && /[\dA-Z]/.test(end)
}

/** `If-None-Match` names it: a weak tag is as good, and browsers have quotes around those that came without. */
function names(ifNoneMatch: string | undefined, etag: string | null): boolean {
  if (ifNoneMatch === undefined || etag === null) return false
  const bare = (tag: string) => tag.trim().replace(/^(?:W\/)?"?([^"]*)"?$/, '$1')
  return ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag))
}

/** What becomes much smaller when it is packed. */
const PACKABLE =
  /^(text\/|image\/svg|font\/(ttf|otf)|application\/([\w.+-]*(javascript|json|xml|ttf|otf)|wasm))\b/i

/** Whether a file of this type and size is worth packing. */
const isPackable = (type: string | undefined, size: number): boolean =>
  size >= 1_024 && PACKABLE.test(type ?? '')

/**
 * Whether an answer may be kept as the file at its path. A page in place of a file is what a web server says for one that is not
 * there: kept for ever, it would outlast the update that it came from.
 */
function mayKeep(status: number, headers: Readonly<Record<string, string>>): boolean {
  const isPage = /^(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')
  return status === 200 && !isPage && !/\bno-store\b/i.test(headers['cache-control'] ?? '')
}

/** What is kept of an answer's headers. */
function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    ['content-type', 'etag', 'last-modified', 'cache-control'].flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

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
