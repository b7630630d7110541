import { BadMesh, Collector, type Triangles } from './mesh.ts'

/** Most corners of the points of a file: three for each triangle. */
const MOST_POINTS = 9_000_000
const MOST_CORNERS = 10_000

/** Reads the points and faces of a Wavefront OBJ, by lines; whatever else stands there is passed over. Raises `BadMesh`. */
export function readObj(bytes: Uint8Array<ArrayBuffer>): Triangles {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const points: number[] = []
  const into = new Collector()
  for (let from = 0; from < text.length;) {
    let to = text.indexOf('\n', from)
    if (to < 0) to = text.length
    const kind = text.charAt(from)
    const isAlone = text.charAt(from + 1) === ' ' || text.charAt(from + 1) === '\t'
    if (isAlone && (kind === 'v' || kind === 'f')) {
      const words = text
        .slice(from + 2, to)
        .trim()
        .split(/\s{1,20}/, MOST_CORNERS + 1)
      if (kind === 'v') addPoint(points, words)
      else addFace(into, points, words)
    }
    from = to + 1
  }
  return into.done()
}

function addPoint(points: number[], [x, y, z]: readonly string[]): void {
  if (points.length >= 3 * MOST_POINTS) throw new BadMesh('tooManyTriangles')
  points.push(Number(x), Number(y), Number(z))
}

/** A face of many corners is a fan of triangles. */
function addFace(into: Collector, points: readonly number[], words: readonly string[]): void {
  if (words.length < 3 || words.length > MOST_CORNERS) throw new BadMesh('broken')
  const corners = words.map((word) => {
    const at = Number(word.split('/', 1)[0])
    const index = at < 0 ? points.length / 3 + at : at - 1
    if (!Number.isInteger(index) || index < 0 || 3 * index >= points.length) throw new BadMesh('broken')
    return 3 * index
  })
  const put = (at = 0) => into.corner(points[at] ?? NaN, points[at + 1] ?? NaN, points[at + 2] ?? NaN)
  for (let i = 2; i < corners.length; i++) {
    put(corners[0])
    put(corners[i - 1])
    put(corners[i])
  }
}
