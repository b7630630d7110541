import { strToU8, zipSync } from 'fflate'
import { boxLists } from './meshes.ts'

/** A box of 20 mm as slicers save a project. */
export function boxProject(): Buffer {
  const { points, faces } = boxLists(20)
  const vertices = points.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join('')
  const triangles = faces.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('')
  const object = `<object id="1" type="model"><mesh><vertices>${vertices}</vertices><triangles>${triangles}</triangles></mesh></object>`
  const space = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02'
  const model = `<model unit="millimeter" xmlns="${space}"><resources>${object}</resources><build><item objectid="1"/></build></model>`
  return Buffer.from(zipSync({ '3D/3dmodel.model': strToU8(model) }))
}
