import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { letIn } from '../../../test/household.ts'
import { isSlicerThere, machineNamed, SLICER } from '../../../test/slicer.ts'

let app: TestApp
let owner: TestUser
let machine: Awaited<ReturnType<typeof machineNamed>>
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  if (isSlicerThere) machine = await machineNamed(app, owner, 'Ender-3 V2 (0.4')
})
afterAll(() => app?.close())

const PRESETS = `${SLICER}presets/`
const list = async (who = owner, node: Pick<TestApp, 'url'> = app) =>
  (await call(node, 'GET', PRESETS, { cookie: who.cookie })).json
const save = (body: object, who = owner) =>
  call(app, 'POST', PRESETS, {
    cookie: who.cookie,
    body: {
      slicer_profiles: {
        machine_sub_path: machine.sub_path,
        filament_sub_path: machine.default_filament.sub_path,
        print_process_sub_path: machine.default_print_process.sub_path,
      },
      ...body,
    },
  })

describe.skipIf(!isSlicerThere)('what people have saved to slice with', () => {
  it('is kept by its name, says what the slicer has otherwise, and goes', async () => {
    const overwrites = {
      wall_loops: 4,
      enable_support: true,
      support_type: 'tree(auto)',
      nozzle_temperature: ['215'],
    }
    const { status, json } = await save({ name: ' Strong ', profile_overwrites: overwrites })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: 'Strong',
      is_own: true,
      is_shared: false,
      machine: { id: machine.id },
      filament: { id: machine.default_filament.id },
      profile_overwrites: {
        wall_loops: '4',
        enable_support: '1',
        support_type: 'tree(auto)',
        nozzle_temperature: '215',
      },
      unsupported: [{ key: 'support_type', value: 'tree(auto)', used: 'snug' }],
    })
    // One of the same name becomes the new one.
    const again = await save({ name: 'STRONG', profile_overwrites: { wall_loops: 5 } })
    expect(again.json).toMatchObject({ id: json.id, profile_overwrites: { wall_loops: '5' } })
    expect(await list()).toEqual([again.json])
    const path = `${PRESETS}${json.id}/`
    expect((await call(app, 'DELETE', path, { cookie: owner.cookie })).status).toBe(204)
    expect(await list()).toEqual([])
  })

  it('what cannot be is refused beside its field', async () => {
    const sub = { machine_sub_path: 'prusa:none', filament_sub_path: 'a', print_process_sub_path: 'b' }
    expect((await save({ name: 'a', slicer_profiles: sub })).json).toHaveProperty('slicer_profiles')
    const bad = await save({ name: 'a', profile_overwrites: { layer_height: 'thick' } })
    expect(bad).toMatchObject({
      status: 400,
      json: { profile_overwrites: [expect.stringContaining('layer_height')] },
    })
    expect((await save({ name: '  ' })).json).toEqual({ name: ['This field may not be blank.'] })
  })

  it('is shared in a home, with IS_ENT in a household alone', async () => {
    const other = await aUser(app)
    const shared = await save({ name: 'Ours', is_shared: true })
    await save({ name: 'Mine' })
    expect(await list(other)).toEqual([{ ...shared.json, is_own: false }])
    const path = `${PRESETS}${shared.json.id}/`
    expect((await call(app, 'DELETE', path, { cookie: other.cookie })).status).toBe(404)
    const company = await aNode(app.databaseUrl, {
      IS_ENT: 'true',
      VIGIL_SECRET: app.ctx.config.VIGIL_SECRET ?? '',
    })
    try {
      expect(await list(other, company)).toEqual([])
      await letIn(company, owner, other, { role: 'viewer' })
      expect(await list(other, company)).toEqual([{ ...shared.json, is_own: false }])
      // Members of one household see each other's, too, and its owner theirs.
      const third = await aUser(company)
      await letIn(company, other, third, { role: 'viewer' })
      expect(await list(third, company)).toEqual([])
      await letIn(company, owner, third, { role: 'viewer' })
      expect(await list(third, company)).toEqual([{ ...shared.json, is_own: false }])
      const theirs = await save({ name: 'Theirs', is_shared: true }, third)
      for (const who of [owner, other])
        expect(await list(who, company)).toContainEqual({ ...theirs.json, is_own: false })
    } finally {
      await company.close()
    }
  })

  it('a linked printer is proposed as a machine by its name, with its own nozzle', async () => {
    const { id } = await aPrinter(app, owner, 'Ender 3 V2 in the garage')
    await aPrinter(app, owner, 'Left one')
    const said = { cookie: owner.cookie, body: { nozzle_diameter: 0.6, bed_width: 220, bed_depth: 220 } }
    await call(app, 'PATCH', `/api/v1/printers/${id}/machine/`, said)
    const { json } = await call(app, 'GET', `${SLICER}my_printers/`, { cookie: owner.cookie })
    expect(json).toEqual([
      {
        printer: { id, name: 'Ender 3 V2 in the garage' },
        machine: expect.objectContaining({ name: expect.stringMatching(/Ender-3 V2 \(0\.6/) }),
      },
    ])
  })
})
