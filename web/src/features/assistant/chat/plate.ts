import { fieldsOf } from '@vigil/contract/fields.ts'
import { type Bridge, HostError, type Plate, type Project } from '../bridge/index.ts'

/** From the front, from both sides above it, and from below. */
const VIEWS = [
  [0, 45],
  [-30, 45],
  [-210, 45],
  [0, -45],
] as const
const FAR_MM = 1_000
const RADIANS = Math.PI / 180

/** Where a camera stands so far from the middle of a plate: turned about the upright, and raised, in degrees. */
export function viewsOf({ bounding_box: box }: Pick<Plate, 'bounding_box'>) {
  const middle = (axis: 'x' | 'y' | 'z') => (box ? (box.min[axis] + box.max[axis]) / 2 : 0)
  const target = { x: middle('x'), y: middle('y'), z: middle('z') }
  return VIEWS.map(([turn, raise]) => {
    const [around, up] = [turn * RADIANS, raise * RADIANS]
    const camera_position = {
      x: target.x + FAR_MM * Math.cos(up) * Math.sin(around),
      y: target.y - FAR_MM * Math.cos(up) * Math.cos(around),
      z: target.z + FAR_MM * Math.sin(up),
    }
    return { camera_position, target }
  })
}

/** Pictures of the plate with models; none where the slicer draws none: then its shape alone is judged, and that is said. */
export async function picturesOf(bridge: Bridge, { plates }: Project): Promise<string[]> {
  const plate = plates.find(({ model_objects: models }) => models.length > 0)
  if (!plate) return []
  try {
    const drawn = await bridge.ask('render_plate', { plate_index: plate.index, views: viewsOf(plate) })
    return (Array.isArray(drawn) ? drawn : []).flatMap((one) => {
      const { base64 } = fieldsOf(one)
      return typeof base64 === 'string' && base64.startsWith('data:image/') ? [base64] : []
    })
  } catch (error) {
    if (error instanceof HostError) return []
    throw error
  }
}
