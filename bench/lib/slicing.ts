/** What benchmarks of slicing ask a server: a mesh of theirs, jobs of it. */
import { writeStl } from '../../server/lib/mesh/stl.ts'
import type { BenchServer } from './server.ts'

const SLICER = '/ent/api/slicer/'

/** A torus of so many triangles, 50 mm wide, as binary STL. */
export function torus(triangles: number): Uint8Array<ArrayBuffer> {
  const rings = Math.round(Math.sqrt(triangles))
  const steps = Math.round(triangles / 2 / rings)
  const corners = new Float32Array(18 * rings * steps)
  const at = (ring: number, step: number) => {
    const [a, b] = [(ring / rings) * 2 * Math.PI, (step / steps) * 2 * Math.PI]
    const far = 18 + 7 * Math.cos(b)
    return [far * Math.cos(a), far * Math.sin(a), 7 + 7 * Math.sin(b)]
  }
  let to = 0
  for (let ring = 0; ring < rings; ring++)
    for (let step = 0; step < steps; step++) {
      const [a, b, c, d] = [at(ring, step), at(ring + 1, step), at(ring + 1, step + 1), at(ring, step + 1)]
      corners.set([a, b, c, a, c, d].flat(), to)
      to += 18
    }
  return writeStl(corners)
}

/** Somebody's slicer. */
export function slicerOf({ url }: Pick<BenchServer, 'url'>, cookie: string) {
  const headers = { cookie, origin: url }
  const ask = async (path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: body && !isForm ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status} ${await answer.text()}`)
    const said: any = await answer.json()
    return said
  }
  const machine = async () => {
    const brands = (await ask(`${SLICER}machine_models/`)) as any[]
    const all = brands.flatMap((brand) => brand.machine_models.flatMap((model: any) => model.machines))
    return all.find(({ name }) => name.includes('Ender-3 V2 (0.4'))
  }
  return {
    async bring(stl: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
      const form = new FormData()
      form.set('file', new Blob([stl]), name)
      return (await ask(`${SLICER}models/`, form)).mesh_url
    },
    async choose(): Promise<void> {
      const { id, default_filament: filament, default_print_process: print } = await machine()
      const body = { machine_id: id, filament_id: filament.id, print_process_id: print.id }
      await ask(`${SLICER}user_slice_settings/default/`, body)
    },
    /** Begins as many slicings of a mesh; their ids. */
    async begin(mesh: string, count: number): Promise<string[]> {
      const { sub_path: path, default_filament: filament, default_print_process: print } = await machine()
      const params = {
        meshes: [{ url: mesh, translate: [110, 110, 0], rotate: [0, 0, 0], scale: [1, 1, 1] }],
        slicer_profiles: {
          machine_sub_path: path,
          filament_sub_path: filament.sub_path,
          print_process_sub_path: print.sub_path,
        },
        target_gcode_name: 'bench.gcode',
      }
      const ids: string[] = []
      for (let i = 0; i < count; i++) {
        const form = new FormData()
        form.set('params', JSON.stringify(params))
        form.set('thumbnail', new Blob([PIXEL]), 'thumbnail.jpg')
        ids.push((await ask(`${SLICER}slice_settings/?wait=0`, form)).job_id)
      }
      return ids
    },
    jobs: async (): Promise<{ job_id: string; status: string; gcode_file_id: number | null }[]> =>
      await ask(`${SLICER}jobs/`),
  }
}

/** The smallest JPEG. */
const PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  'base64',
)
