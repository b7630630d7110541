import type { Packing, TunnelClass } from '../wire/port.ts'

const BULK = /^\/(server\/files\/|downloads\/|api\/files\/|plugin\/[^/]+\/download)/i
const ASSET =
  /^\/(assets|static|css|fonts|img|plugin\/[^/]{1,200}\/static)\/|\.(js|css|map|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|wasm)$/i
const LARGE = 262_144
/** Pictures that never end: an agent waits half a minute for the end before it gives up, in a place that others want. */
const ENDLESS = /[?&]action=stream\b|\.mjpe?g\b|\/mjpe?g\b/i

/** How soon a request has its turn at the agent: what shows the page first, files last. */
export function classOf(path: string, length: number): TunnelClass {
  const bare = path.split('?', 1)[0] ?? '/'
  if (length > LARGE || BULK.test(bare) || ENDLESS.test(path)) return 'bulk'
  return ASSET.test(bare) ? 'asset' : 'document'
}

/** The page that is looked through, and so comes unpacked. */
export const isFront = (path: string): boolean => path.split('?', 1)[0] === '/'

/** What of a browser's `Accept-Encoding` we can pack in, the smaller one first; and whether it takes what agents have packed. */
export function packingsOf(accepted: string | string[] | undefined): {
  packings: Packing[]
  takesDeflate: boolean
} {
  const named = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(' ', '').split(';q='))
    .filter(([, q]) => q === undefined || Number(q) > 0)
    .map(([name]) => name)
  const packings = (['br', 'gzip'] as const).filter((one) => named.includes(one))
  return { packings, takesDeflate: named.includes('deflate') }
}
