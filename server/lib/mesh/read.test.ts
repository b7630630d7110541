import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { boxLists, boxTriangles, stlOf } from '../../test/meshes.ts'
import { bake, outsideOf } from './bake.ts'
import { boxOf } from './mend.ts'
import { BadMesh } from './mesh.ts'
import { pictureOf } from './picture.ts'
import { readMeshFile } from './read.ts'
import { readStl, writeStl } from './stl.ts'

const utf8 = (text: string) => new Uint8Array(strToU8(text))

function refusal(name: string, bytes: Uint8Array<ArrayBuffer>): string {
  try {
    readMeshFile(name, bytes)
    return 'taken'
  } catch (error) {
    return error instanceof BadMesh ? error.why : String(error)
  }
}

const cornersOf = (triangles: readonly number[]) =>
  Array.from({ length: triangles.length / 3 }, (_, i) => triangles.slice(3 * i, 3 * i + 3).join(' '))
const textStl = (triangles: readonly number[]) => {
  const corners = cornersOf(triangles)
  const facets = corners.flatMap((_, i) =>
    i % 3 === 0
      ? `facet normal 0 0 0\n outer loop\n${corners
          .slice(i, i + 3)
          .map((one) => `  vertex ${one}\n`)
          .join('')} endloop\nendfacet\n`
      : [],
  )
  return utf8(`solid it\n${facets.join('')}endsolid it\n`)
}
const { points, faces } = boxLists(20)
const objBox = utf8(
  `# a box\n${points.map((p) => `v ${p.join(' ')}\n`).join('')}${faces.map((f) => `f ${f.map((n) => `${n + 1}/1/1`).join(' ')}\n`).join('')}`,
)

const objectXml = (id: string, size: number) => {
  const box = boxLists(size)
  const vertices = box.points.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join('')
  const triangles = box.faces.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('')
  return `<object id="${id}"><mesh><vertices>${vertices}</vertices><triangles>${triangles}</triangles></mesh></object>`
}
const modelXml = (resources: string, items: string, unit = 'millimeter') =>
  `<?xml version="1.0"?><model unit="${unit}"><resources>${resources}</resources><build>${items}</build></model>`
const threeMf = (model: string) => new Uint8Array(zipSync({ '3D/3dmodel.model': strToU8(model) }))

it('reads every format to the same mesh', () => {
  const box = boxTriangles(20)
  const files: [string, Uint8Array<ArrayBuffer>][] = [
    ['box.stl', stlOf(box)],
    ['BOX.STL', textStl(box)],
    ['box.obj', objBox],
    ['box.3mf', threeMf(modelXml(objectXml('1', 20), '<item objectid="1"/>'))],
    ['cm.3mf', threeMf(modelXml(objectXml('1', 2), '<item objectid="1"/>', 'centimeter'))],
  ]
  for (const [name, bytes] of files) {
    const { triangles, size, notes } = readMeshFile(name, bytes)
    expect([name, triangles.length / 9, ...size.map(Math.round), notes]).toEqual([name, 12, 20, 20, 20, []])
    expect(boxOf(triangles)).toEqual({ min: [-10, -10, 0], max: [10, 10, 20] })
  }
})

it('places the parts of a 3MF as their transforms say, the inner one first', () => {
  const outer =
    '<object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 10 0 0"/></components></object>'
  const items =
    '<item objectid="2" transform="2 0 0 0 1 0 0 0 1 0 0 0"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 0"/>'
  const { size, notes } = readMeshFile('two.3mf', threeMf(modelXml(objectXml('1', 5) + outer, items)))
  expect(size).toEqual([30, 5, 5])
  expect(notes).toEqual([{ about: 'parts', count: 2 }])
})

it('takes what is odd, mends it and says so', () => {
  const box = boxTriangles(20)
  const noted = (triangles: readonly number[], told?: number) =>
    readMeshFile('a.stl', stlOf(triangles, told)).notes
  expect(noted(box, 4_000_000_000)).toEqual([{ about: 'count', count: 1 }])
  expect(noted(box.slice(9))).toContainEqual({ about: 'open', count: 3 })
  expect(noted([...box, 1, 1, 1, 2, 2, 2, 3, 3, 3])).toEqual([{ about: 'degenerate', count: 1 }])
  expect(noted(boxTriangles(0.05))).toEqual([{ about: 'tiny', count: 1 }])
  expect(noted(boxTriangles(5000))).toEqual([{ about: 'huge', count: 1 }])
  const inside = cornersOf(box).reduce<number[]>((all, _, i) => {
    const from = 9 * Math.floor(i / 3) + 3 * [0, 2, 1][i % 3]!
    return [...all, ...box.slice(from, from + 3)]
  }, [])
  const { notes, triangles } = readMeshFile('a.stl', stlOf(inside))
  expect(notes).toEqual([{ about: 'flipped', count: 1 }])
  expect(readMeshFile('a.stl', writeStl(triangles)).notes).toEqual([])
})

it('refuses what is no mesh, each for what is wrong with it', () => {
  const box = boxTriangles(20)
  expect(refusal('a.stl', new Uint8Array(0))).toBe('empty')
  expect(refusal('a.stl', stlOf([]))).toBe('empty')
  expect(refusal('a.stl', stlOf(box).subarray(0, 300))).toBe('broken')
  expect(refusal('a.stl', utf8('this is not a mesh at all '.repeat(40)))).toBe('broken')
  expect(refusal('a.stl', utf8('solid a\nfacet\nvertex 1 2\nendfacet\n'))).toBe('broken')
  expect(refusal('a.stl', stlOf([NaN, ...box.slice(1)]))).toBe('notFinite')
  expect(refusal('a.stl', stlOf([Infinity, ...box.slice(1)]))).toBe('notFinite')
  expect(refusal('a.stl', stlOf([1e9, ...box.slice(1)]))).toBe('gigantic')
  expect(refusal('a.stl', stlOf(boxTriangles(20, 20, 0)))).toBe('flat')
  expect(refusal('a.obj', utf8('v 0 0 0\nf 1 2 3\n'))).toBe('broken')
  expect(refusal('a.obj', utf8('v 0 0 zero\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'))).toBe('notFinite')
  expect(refusal('a.step', utf8('ISO-10303-21;'))).toBe('unknownFormat')
})

it('refuses a 3MF that is a trap', () => {
  const box = objectXml('1', 20)
  const item = '<item objectid="1"/>'
  expect(refusal('a.3mf', utf8('PK nothing'))).toBe('broken')
  expect(refusal('a.3mf', new Uint8Array(zipSync({ 'a.txt': strToU8('a') })))).toBe('broken')
  const entities = `<!DOCTYPE m [<!ENTITY a "aaaa">]>${modelXml(box, item)}`
  expect(refusal('a.3mf', threeMf(entities))).toBe('broken')
  expect(refusal('a.3mf', threeMf(modelXml(box, '<item objectid="7"/>')))).toBe('broken')
  const itself = '<object id="1"><components><component objectid="1"/></components></object>'
  expect(refusal('a.3mf', threeMf(modelXml(itself, item)))).toBe('tooManyParts')
  // each names the next one twice: 2^15 placings of nothing
  const chain = Array.from({ length: 15 }, (_, i) => {
    const next = `<component objectid="${i + 2}"/>`
    return `<object id="${i + 1}"><components>${next}${next}</components></object>`
  }).join('')
  expect(refusal('a.3mf', threeMf(modelXml(chain + '<object id="16"/>', item)))).toBe('tooManyParts')
  expect(refusal('a.3mf', threeMf(modelXml(box, item.repeat(20_001))))).toBe('tooManyParts')
  const many = threeMf(modelXml(box, item.repeat(2_000)))
  expect(readMeshFile('a.3mf', many).notes).toContainEqual({ about: 'parts', count: 2_000 })
  const bomb = new Uint8Array(zipSync({ '3D/a.model': new Uint8Array(1000) }))
  // the package says that it unpacks to 3 GB
  const view = new DataView(bomb.buffer)
  for (let at = 0; at < bomb.length - 30; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 3_000_000_000, true)
  expect(refusal('a.3mf', bomb)).toBe('tooLarge')
})

it('places a mesh as the viewer does, and says when it does not go onto the bed', () => {
  const bed = [
    [0, 0],
    [220, 0],
    [220, 220],
    [0, 220],
  ] as const
  const placed = (translate: [number, number, number], more: object = {}, size = [20, 10, 5] as const) => {
    const { triangles } = readStl(stlOf(boxTriangles(...size)))
    bake(triangles, { translate, rotate: [0, 0, 0], scale: [1, 1, 1], ...more })
    const round = (values: readonly number[]) => values.map((value) => Math.round(value * 100) / 100 + 0)
    const { min, max } = boxOf(triangles)
    return [round(min), round(max), outsideOf(triangles, { bed, height: 250 })]
  }
  expect(placed([110, 110, 7])).toEqual([[100, 105, 0], [120, 115, 5], null])
  expect(placed([110, 110, 0], { rotate: [0, 90, 0] })).toEqual([[107.5, 105, 0], [112.5, 115, 20], null])
  // X before Y before Z, each about the axes that have turned with it
  expect(placed([110, 110, 0], { rotate: [90, 0, 90] })).toEqual([
    [105 + 2.5 - 2.5, 107.5, 0],
    [115, 112.5, 20],
    null,
  ])
  expect(placed([110, 110, 0], { scale: [2, 1, -1] })).toEqual([[90, 105, 0], [130, 115, 5], null])
  expect(placed([5, 110, 0])[2]).toBe('outside')
  expect(placed([10, 110, 0])[2]).toBeNull()
  expect(placed([110, 110, 0], { scale: [1, 1, 51] })[2]).toBe('tooTall')
  expect(placed([110, 110, 0], { scale: [0.001, 0.001, 0.001] })[2]).toBe('tooSmall')
})

it('draws a mesh: something in the middle, nothing in the corners', () => {
  const image = pictureOf(readMeshFile('a.stl', stlOf(boxTriangles(20))).triangles, 64)
  const alpha = (x: number, y: number) => image[4 * (y * 64 + x) + 3]
  expect([alpha(32, 32), alpha(0, 0), alpha(63, 63)]).toEqual([255, 0, 0])
})
