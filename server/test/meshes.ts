/** A binary STL of these triangles; the header may lie about their count. */
export function stlOf(triangles: readonly number[], told = triangles.length / 9): Uint8Array<ArrayBuffer> {
  const count = triangles.length / 9
  const bytes = new Uint8Array(84 + 50 * count)
  const view = new DataView(bytes.buffer)
  view.setUint32(80, told, true)
  triangles.forEach((value, i) =>
    view.setFloat32(84 + 50 * Math.floor(i / 9) + 12 + 4 * (i % 9), value, true),
  )
  return bytes
}

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 1, (n >> 1) & 1, (n >> 2) & 1])
const FACES = [
  [0, 2, 3],
  [0, 3, 1],
  [4, 5, 7],
  [4, 7, 6],
  [0, 1, 5],
  [0, 5, 4],
  [2, 6, 7],
  [2, 7, 3],
  [0, 4, 6],
  [0, 6, 2],
  [1, 3, 7],
  [1, 7, 5],
] as const

/** The triangles of a box from the origin, turned outwards. */
export const boxTriangles = (width: number, depth = width, height = width): number[] =>
  FACES.flatMap((face) =>
    face.flatMap((at) => {
      const [x = 0, y = 0, z = 0] = CORNERS[at] ?? []
      return [x * width, y * depth, z * height]
    }),
  )

/** The same as the lists of points and faces that OBJ and 3MF have. */
export const boxLists = (size: number) => ({
  points: CORNERS.map((corner) => corner.map((one) => one * size)),
  faces: FACES,
})

/** The smallest mesh that encloses something. */
export const aTetrahedron = () =>
  stlOf([
    0, 0, 0, 0, 9, 0, 9, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 9, 0, 9, 0, 9, 0, 0, 0, 9, 0, 0, 0,
    9,
  ])
