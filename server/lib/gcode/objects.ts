const MOST = 1000
const DEFINE = 'EXCLUDE_OBJECT_DEFINE '
/** What slicers write where an object begins: in the first layer each of them does. */
const NAMED = ['printing object ', 'MESH:']
const NO_OBJECT = 'NONMESH'

/**
 * How many objects a file prints, by what its beginning says: as it defines them for the printer (Klipper, Marlin's M486), else
 * as its comments name them. Null where it says nothing.
 */
export function objectsOf(head: string, comments: readonly string[]): number | null {
  const total = /^M486 T(\d{1,4})\b/m.exec(head)?.[1]
  if (total !== undefined && Number(total) > 0) return Number(total)
  const defined = definedIn(head)
  if (defined > 0) return defined
  for (const word of NAMED) {
    const names = new Set<string>()
    for (const line of comments) {
      // Each copy of an object is one to print.
      if (line.startsWith(word) && !line.endsWith(NO_OBJECT) && names.size < MOST) names.add(line)
    }
    if (names.size > 0) return names.size
  }
  return null
}

function definedIn(head: string): number {
  const names = new Set<string>()
  for (let at = head.indexOf(DEFINE); at !== -1 && names.size < MOST; at = head.indexOf(DEFINE, at + 1)) {
    const isLine = at === 0 || head[at - 1] === '\n'
    const [name] = /NAME=\S{1,200}/.exec(head.slice(at, at + 300).split('\n', 1)[0] ?? '') ?? []
    if (isLine && name !== undefined) names.add(name)
  }
  return names.size
}
