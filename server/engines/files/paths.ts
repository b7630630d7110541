/** A path that names no stored file: hostile or a mistake. Nothing was touched. */
export class BadPath extends Error {
  override readonly name = 'BadPath'
}

const MAX_PATH_BYTES = 900
const MAX_PART_BYTES = 255

/**
 * Checks a container's relative path: parts between single slashes, none of them hidden (`.`, `..`, `.part`), no
 * control characters, no backslash, no half characters. Raises `BadPath`.
 */
export function checkPath(path: string): string {
  const isText = path.isWellFormed() && Buffer.byteLength(path) <= MAX_PATH_BYTES
  // oxlint-disable-next-line no-control-regex
  if (!isText || /[\u0000-\u001f\u007f\\]/.test(path)) throw new BadPath(`bad path ${JSON.stringify(path)}`)
  for (const part of path.split('/')) {
    if (part === '' || part.startsWith('.') || Buffer.byteLength(part) > MAX_PART_BYTES) {
      throw new BadPath(`bad path ${JSON.stringify(path)}`)
    }
  }
  return path
}

/** As `checkPath`, but '' is the whole container. */
export const checkFolder = (folder: string): string =>
  folder === '' ? '' : checkPath(folder.replace(/\/$/, ''))
