import { spawnSync } from 'node:child_process'
import sharp from 'sharp'
import { call, type TestApp, type TestUser } from './app.ts'
import { boxTriangles, stlOf } from './meshes.ts'

/** Whether the real slicer can be asked; CI has it. */
export const isSlicerThere = spawnSync('prusa-slicer', ['--help']).status === 0
if (!isSlicerThere && process.env['CI'] === 'true')
  throw new Error('CI needs prusa-slicer: apt-get install it.')

export const SLICER = '/ent/api/slicer/'

/** A box of so many mm, as a model of somebody's; its `mesh_url`. */
export async function aModel(app: TestApp, { cookie }: TestUser, size: number): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([stlOf(boxTriangles(size))]), `box ${size}.stl`)
  const answer = await fetch(`${app.url}${SLICER}models/`, {
    method: 'POST',
    body: form,
    headers: { cookie },
  })
  return JSON.parse(await answer.text()).mesh_url as string
}

interface MachineSaid {
  readonly id: number
  readonly name: string
  readonly sub_path: string
  readonly default_filament: { readonly id: number; readonly sub_path: string }
  readonly default_print_process: { readonly id: number; readonly sub_path: string }
}

/** A printer of the slicer's profiles, by a part of its name. */
export async function machineNamed(app: TestApp, who: TestUser, name: string): Promise<MachineSaid> {
  const { json } = await call(app, 'GET', `${SLICER}machine_models/`, { cookie: who.cookie })
  const machines: MachineSaid[] = json.flatMap((brand: { machine_models: { machines: MachineSaid[] }[] }) =>
    brand.machine_models.flatMap((model) => model.machines),
  )
  const found = machines.find((one) => one.name.includes(name))
  if (!found) throw new Error(`no printer is called ${name}`)
  return found
}

export const placedAt = (url: string, x = 110, y = 110) => ({
  meshID: url,
  url,
  translate: [x, y, 0],
  rotate: [0, 0, 0],
  scale: [1, 1, 1],
})

/** Asks as the page does; status and body. */
export async function slice(
  app: Pick<TestApp, 'url'>,
  who: TestUser,
  machine: MachineSaid,
  {
    meshes,
    overwrites = {},
    name = 'part.gcode',
    wait = 120,
    language = 'en',
    chat,
  }: {
    meshes: readonly object[]
    overwrites?: object
    name?: string
    wait?: number
    language?: string
    /** Of the slicer's assistant, that it came of. */
    chat?: number
  },
) {
  const params = {
    meshes,
    slicer_profiles: {
      machine_sub_path: machine.sub_path,
      filament_sub_path: machine.default_filament.sub_path,
      print_process_sub_path: machine.default_print_process.sub_path,
    },
    profile_overwrites: overwrites,
    target_gcode_name: name,
  }
  const picture = await sharp({ create: { width: 100, height: 100, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('thumbnail', new Blob([new Uint8Array(picture)]), 'thumbnail.jpg')
  form.set('params', JSON.stringify(params))
  if (chat !== undefined) form.set('jusprint_chat_id', String(chat))
  const path = `${SLICER}slice_settings/?wait=${wait}&lang=${language}`
  const answer = await fetch(app.url + path, { method: 'POST', body: form, headers: { cookie: who.cookie } })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

/** What takes this slicer half a minute: thin layers of a large box, with much in it. */
export const SLOW = {
  layer_height: '0.05',
  sparse_infill_density: '60%',
  sparse_infill_pattern: 'gyroid',
}
