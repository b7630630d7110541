import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aNode, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { orcaIn } from '../../../test/orca.ts'
import { aModel, machineNamed, placedAt, slice, SLICER } from '../../../test/slicer.ts'

let app: TestApp
let owner: TestUser
let folder: string
let machine: Awaited<ReturnType<typeof machineNamed>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-orca-'))
  const env = { ORCA_SLICER_PROGRAM: await orcaIn(folder), SLICER_PROGRAM: '/no/such/slicer' }
  app = await buildTestApp({ env })
  owner = await aUser(app)
  machine = await machineNamed(app, owner, 'Desk One')
})
afterAll(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

it('who asks first, all at once, is told of the profiles alike; one that leads nowhere costs no other', async () => {
  await symlink('/no/such/profiles', join(folder, 'resources/profiles/Lost.json'))
  const node = await aNode(app.databaseUrl, { ORCA_SLICER_PROGRAM: join(folder, 'bin/orca-slicer') })
  try {
    const asked = [1, 2, 3].map(() => call(node, 'GET', `${SLICER}machine_models/`, { cookie: owner.cookie }))
    for (const { json } of await Promise.all(asked))
      expect(json.map(({ brand }: { brand: string }) => brand)).toContain('Desk')
  } finally {
    await node.close()
  }
})

const get = async (path: string) => (await call(app, 'GET', path, { cookie: owner.cookie })).json

it('a folder of its profiles stands in the one catalogue: what is inherited, and what goes with which machine', async () => {
  expect((await get(`${SLICER}engine/`)).name).toBe('OrcaSlicer 2.3.0')
  const brands = await get(`${SLICER}machine_models/`)
  const desk = brands.find(({ brand }: { brand: string }) => brand === 'Desk')
  expect(desk.machine_models).toMatchObject([
    {
      name: 'Desk One',
      machines: [
        {
          name: 'Desk One 0.4 nozzle',
          nozzle_diameter: ['0.4'],
          printable_area: ['0x0', '180x0', '180x180', '0x180'],
          printable_height: 170,
          sub_path: 'orca:Desk/printer/Desk One 0.4 nozzle',
          default_filament: { name: 'Desk PLA' },
          default_print_process: { name: '0.20mm Standard' },
        },
      ],
    },
  ])
  const names = async (kind: string) =>
    (await get(`${SLICER}${kind}/?machine_id=${machine.id}`)).map(({ name }: { name: string }) => name)
  expect(await names('filaments')).toEqual(['Desk PLA'])
  expect(await names('print_processes')).toEqual(['0.20mm Standard', 'Refused'])
  const cover = await fetch(app.url + desk.machine_models[0].cover_img_url, {
    headers: { cookie: owner.cookie },
  })
  expect(await cover.text()).toBe('a picture')
  expect(await get(`${SLICER}profiles/${machine.default_filament.id}/`)).toEqual({
    nozzle_temperature: ['212'],
    hot_plate_temp: ['61'],
  })
  expect(await get(`${SLICER}profiles/${machine.default_print_process.id}/`)).toMatchObject({
    layer_height: '0.2',
    wall_loops: '4',
  })
})

it('its command line gets the meshes where they stand, and profiles that need no others; nothing in them is run', async () => {
  const url = await aModel(app, owner, 20)
  const { status, body } = await slice(app, owner, machine, {
    meshes: [placedAt(url, 60, 60), placedAt(url, 120, 120)],
    overwrites: { wall_loops: 3, nozzle_temperature: '205', crosswind: '1', only_one_wall_top: '1' },
  })
  expect(status).toBe(201)
  const file = await get(`/api/v1/g_code_files/${body.gcode_file_id}/`)
  const gcode = await (await fetch(file.url)).text()
  expect(gcode).toMatch(/--arrange 0 --orient 0 --ensure-on-bed/)
  expect(gcode.match(/^; mesh 684$/gm)).toHaveLength(2)
  const [printer, process, filament] = [...gcode.matchAll(/^; profile (.*)$/gm)].map(([, text]) =>
    JSON.parse(text!),
  )
  expect(printer).toMatchObject({
    from: 'User',
    inherits: '',
    printable_area: ['0x0', '180x0', '180x180', '0x180'],
    machine_start_gcode: 'G28\nM104 S[nozzle_temperature]',
  })
  expect(printer).not.toHaveProperty('post_process')
  expect(process).toMatchObject({ wall_loops: '3', layer_height: '0.2', only_one_wall_top: '1' })
  expect(filament).toMatchObject({ nozzle_temperature: ['205'], hot_plate_temp: ['61'] })
  const [job] = await get(`${SLICER}jobs/`)
  expect(job.notes).toEqual([{ key: 'crosswind', value: '1', used: null }])
})

it('what it refuses is said in its words; what cannot be is refused before', async () => {
  const url = await aModel(app, owner, 20)
  const refused = { ...machine.default_print_process, sub_path: 'orca:Desk/print/Refused' }
  const answer = await slice(
    app,
    owner,
    { ...machine, default_print_process: refused },
    { meshes: [placedAt(url)] },
  )
  expect(answer).toMatchObject({
    status: 422,
    body: { error: expect.stringMatching(/cannot exceed nozzle/) },
  })
  const beyond = await slice(app, owner, machine, { meshes: [placedAt(url, 175, 60)] })
  expect(beyond.status).toBe(422)
  const bad = await slice(app, owner, machine, {
    meshes: [placedAt(url, 60)],
    overwrites: { layer_height: 'x' },
  })
  expect(bad.status).toBe(400)
})
