/** Files of a printer's page that one browser after the other asks for. */
export type AssetKind =
  /** The name changes with the content: it is the same for ever. */
  | 'hashed'
  /** It is the same until the program is updated. */
  | 'static'

/** `/static/webassets/packed_core.js?1a2b3c4d`, as OctoPrint bundles. */
const PACKED = /^\/static\/webassets\/packed_[\w.-]+\?[\da-f]{8,}$/
const STATIC = /^\/(static|assets|css|fonts|img)\/|^\/plugin\/\w+\/static\/|^\/manifest\.webmanifest$/

/** What kind of file stands at a path with its query; null for what may change with every request. */
export function assetKindOf(path: string): AssetKind | null {
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
export function names(ifNoneMatch: string | undefined, etag: string | null): boolean {
  if (ifNoneMatch === undefined || etag === null) return false
  const bare = (tag: string) => tag.trim().replace(/^(?:W\/)?"?([^"]*)"?$/, '$1')
  return ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag))
}

/** What becomes much smaller when it is packed. */
const PACKABLE =
  /^(text\/|image\/svg|font\/(ttf|otf)|application\/([\w.+-]*(javascript|json|xml|ttf|otf)|wasm))\b/i

/** Whether a file of this type and size is worth packing. */
export const isPackable = (type: string | undefined, size: number): boolean =>
  size >= 1_024 && PACKABLE.test(type ?? '')

/**
 * Whether an answer may be kept as the file at its path. A page in place of a file is what a web server says for one that is not
 * there: kept for ever, it would outlast the update that it came from.
 */
export function mayKeep(status: number, headers: Readonly<Record<string, string>>): boolean {
  const isPage = /^(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')
  return status === 200 && !isPage && !/\bno-store\b/i.test(headers['cache-control'] ?? '')
}

/** What is kept of an answer's headers. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    ['content-type', 'etag', 'last-modified', 'cache-control'].flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
