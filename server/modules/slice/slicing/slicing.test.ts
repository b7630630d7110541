import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNode, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { aModel, isSlicerThere, machineNamed, placedAt, slice, SLICER, SLOW } from '../../../test/slicer.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { sweepSlices } from './run.service.ts'

let app: TestApp
let owner: TestUser
let machine: Awaited<ReturnType<typeof machineNamed>>
let small: string
let large: string
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  if (!isSlicerThere) return
  machine = await machineNamed(app, owner, 'Ender-3 V2 (0.4')
  small = await aModel(app, owner, 20)
  large = await aModel(app, owner, 150)
})
afterAll(() => app?.close())

const jobOf = async (id: string, node: Pick<TestApp, 'url'> = app, who = owner) =>
  (await call(node, 'GET', `${SLICER}jobs/${id}/`, { cookie: who.cookie })).json
const files = async (who = owner) =>
  (await call(app, 'GET', '/api/v1/g_code_files/?parent_folder=', { cookie: who.cookie })).json.results as {
    id: number
    filename: string
  }[]
async function stored(what: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of app.ctx.files.list('tsd-gcodes', what)) paths.push(path)
  return paths
}
async function running(id: string): Promise<unknown> {
  return await eventually(async () => ((await jobOf(id)).progress > 0 ? true : undefined))
}

describe.skipIf(!isSlicerThere)('with the real slicer', () => {
  it('a mesh becomes a file of its owner, with what the slicer and the page know of it', async () => {
    const { status, body } = await slice(app, owner, machine, {
      meshes: [placedAt(small, 60), placedAt(small, 150)],
      overwrites: { wall_loops: 3, sparse_infill_density: '30%', top_surface_pattern: 'monotonicline' },
      name: '../My ☃ part.stl',
    })
    expect(status).toBe(201)
    const { gcode_file: file } = body
    expect(file).toMatchObject({ id: body.gcode_file_id, filename: 'My ☃ part.gcode' })
    const { json } = await call(app, 'GET', `/api/v1/g_code_files/${file.id}/`, { cookie: owner.cookie })
    const metadata = JSON.parse(json.metadata_json)
    expect(metadata).toMatchObject({ slicer: 'PrusaSlicer', nozzle_diameter: 0.4, printer_model: 'ENDER3V2' })
    expect(metadata.estimated_time).toBeGreaterThan(60)
    expect(json.thumbnail1_url).toEqual(expect.any(String))
    const gcode = await (await fetch(json.url)).text()
    expect(gcode).toMatch(/^; perimeters = 3$/m)
    expect(gcode).toMatch(/^; fill_density = 30%$/m)
    expect(gcode).toMatch(/^; printer_settings_id = Creality Ender-3 V2 \(0\.4 mm nozzle\)$/m)
    const [job] = (await call(app, 'GET', `${SLICER}jobs/`, { cookie: owner.cookie })).json
    expect(job).toMatchObject({
      status: 'done',
      progress: 1,
      gcode_file_id: file.id,
      notes: [{ key: 'top_surface_pattern', value: 'monotonicline', used: 'monotonic' }],
    })
    await eventually(async () => ((await stored('slices/')).length === 0 ? true : undefined))
  })

  it('what does not fit is refused in a sentence, in both languages, and leaves no file', async () => {
    const before = await files()
    const beyond = { meshes: [placedAt(small, 219)] }
    expect(await slice(app, owner, machine, beyond)).toEqual({
      status: 422,
      body: { reason: 'slicing_failed', error: '“box 20” stands beyond the edge of the bed.' },
    })
    const chinese = await slice(app, owner, machine, { ...beyond, language: 'zh' })
    expect(chinese.body.error).toMatch(/热床/)
    const tall = { meshes: [{ ...placedAt(small), scale: [1, 1, 20] }] }
    expect((await slice(app, owner, machine, tall)).body.error).toMatch(/higher than the printer reaches/)
    const vase = { meshes: [placedAt(small, 60), placedAt(small, 150)], overwrites: { spiral_mode: '1' } }
    expect((await slice(app, owner, machine, vase)).body.error).toMatch(/Only one part/)
    expect(await files()).toEqual(before)
  })

  it('what cannot be is refused at once: a foreign mesh, another address, a setting out of range, profiles that do not go together', async () => {
    const stranger = await aUser(app)
    const one = { meshes: [placedAt(small)] }
    expect((await slice(app, stranger, machine, one)).body.error).toMatch(/has been deleted/)
    for (const url of ['http://169.254.169.254/latest', '/etc/passwd', 'https://example.org/a.stl'])
      expect((await slice(app, owner, machine, { meshes: [placedAt(url)] })).status).toBe(403)
    const bad = await slice(app, owner, machine, {
      ...one,
      overwrites: { layer_height: '9\npost_process = id' },
    })
    expect(bad).toEqual({
      status: 400,
      body: { profile_overwrites: ['“layer_height” cannot have this value.'] },
    })
    const other = { ...machine, sub_path: 'prusa:Creality/printer/../../etc' }
    expect((await slice(app, owner, other, one)).body).toHaveProperty('slicer_profiles')
  })

  it('a key that nobody knows is told, and never reaches the slicer', async () => {
    const { status, body } = await slice(app, owner, machine, {
      meshes: [placedAt(small)],
      overwrites: { post_process: '/bin/false', gcode_substitutions: 'a' },
    })
    expect(status).toBe(201)
    const [job] = (await call(app, 'GET', `${SLICER}jobs/`, { cookie: owner.cookie })).json
    expect(job.gcode_file_id).toBe(body.gcode_file_id)
    expect(job.notes).toContainEqual({ key: 'post_process', value: '/bin/false', used: null })
  })

  it('one that takes longer is waited for by its job, and is ended when its owner says so', async () => {
    const { status, body } = await slice(app, owner, machine, {
      meshes: [placedAt(large)],
      overwrites: SLOW,
      wait: 0,
    })
    expect(status).toBe(202)
    await running(body.job_id)
    const second = await slice(app, owner, machine, { meshes: [placedAt(small)], wait: 0 })
    expect(await jobOf(second.body.job_id)).toMatchObject({ status: 'queued', position: 1 })
    const stranger = await aUser(app)
    const foreign = await call(app, 'DELETE', `${SLICER}jobs/${body.job_id}/`, { cookie: stranger.cookie })
    expect(foreign.status).toBe(404)
    await call(app, 'DELETE', `${SLICER}jobs/${body.job_id}/`, { cookie: owner.cookie })
    expect(await jobOf(body.job_id)).toMatchObject({ status: 'cancelled', gcode_file_id: null })
    // The next of theirs has its turn as soon as the slicer has ended.
    await eventually(async () => ((await jobOf(second.body.job_id)).status === 'done' ? true : undefined))
    await eventually(async () =>
      (await readdir(tmpdir())).some((name) => name.startsWith('vigil-slice-')) ? undefined : true,
    )
  })

  it('goes on with another server when its own ends, which leaves nothing running', async () => {
    const database = await cloneDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'vigil-two-'))
    const env = { VIGIL_DATA: folder, VIGIL_SECRET: 'the same on both, and long enough' }
    const first = await aNode(database.url, env)
    const who = await aUser(first)
    const url = await aModel(first, who, 150)
    const asked = { meshes: [placedAt(url)], overwrites: SLOW, wait: 0 }
    const { body } = await slice(first, who, machine, asked)
    const atWork = (node: TestApp) =>
      eventually(async () => ((await jobOf(body.job_id, node, who)).progress > 0.1 ? true : undefined))
    await atWork(first)
    await first.close()
    const second = await aNode(database.url, env)
    try {
      await atWork(second)
      const row = await second.ctx.db.selectFrom('sliceJobs').selectAll().executeTakeFirstOrThrow()
      expect(row).toMatchObject({ state: 'running', tries: 2, gCodeFileId: null })
      const path = `${SLICER}jobs/${body.job_id}/`
      expect((await call(second, 'DELETE', path, { cookie: who.cookie })).status).toBe(204)
    } finally {
      await second.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('is begun anew when its server was killed, and there is one file of it', async () => {
    const { body } = await slice(app, owner, machine, { meshes: [placedAt(small)], name: 'once', wait: 0 })
    // As a node that was killed while it sliced leaves it.
    await app.ctx.db
      .updateTable('sliceJobs')
      .set({ state: 'running', runner: crypto.randomUUID(), beatAt: sql<Date>`now() - interval '1 minute'` })
      .where(sql<boolean>`id = ${Number(body.job_id)}`)
      .execute()
    await sweepSlices(app.ctx)
    await eventually(async () => ((await jobOf(body.job_id)).status === 'done' ? true : undefined))
    const made = (await files()).filter(({ filename }) => filename === 'once.gcode')
    expect(made).toHaveLength(1)
    // Who had it before and comes to an end takes nothing with him.
    const path = `/api/v1/g_code_files/${made[0]!.id}/`
    expect((await call(app, 'GET', path, { cookie: owner.cookie })).json.thumbnail1_url).toMatch(/^http/)
  })

  it('keeps what somebody slices with, and only what goes together', async () => {
    const path = `${SLICER}user_slice_settings/default/`
    const { cookie } = await aUser(app)
    expect((await call(app, 'GET', path, { cookie })).json).toEqual({
      machine: null,
      filament: null,
      print_process: null,
    })
    const filaments = (await call(app, 'GET', `${SLICER}filaments/?machine_id=${machine.id}`, { cookie }))
      .json
    const prints = (await call(app, 'GET', `${SLICER}print_processes/?machine_id=${machine.id}`, { cookie }))
      .json
    const body = { machine_id: machine.id, filament_id: filaments[0].id, print_process_id: prints[0].id }
    expect((await call(app, 'POST', path, { cookie, body: { ...body, filament_id: 1 } })).status).toBe(400)
    const kept = await call(app, 'POST', path, { cookie, body })
    expect(kept.json).toMatchObject({
      machine: { id: machine.id },
      filament: filaments[0],
      print_process: prints[0],
    })
    expect((await call(app, 'GET', path, { cookie })).json).toEqual(kept.json)
    const filament = (await call(app, 'GET', filaments[0].slicer_profile_url, { cookie })).json
    expect(filament.nozzle_temperature).toEqual([expect.stringMatching(/^\d{3}$/)])
    const print = (await call(app, 'GET', prints[0].slicer_profile_url, { cookie })).json
    expect(print).toMatchObject({ sparse_infill_density: expect.stringMatching(/%$/), enable_support: '0' })
  })
})

it('without a slicer nothing is begun, and it is said', async () => {
  const node = await aNode(app.databaseUrl, { SLICER_PROGRAM: '/no/such/slicer' })
  try {
    const { json } = await call(node, 'GET', `${SLICER}engine/`, { cookie: owner.cookie })
    expect(json).toEqual({ name: null, reads_step: false, installation: null, failed: null })
    if (!isSlicerThere) return
    const refused = await slice(node, owner, machine, { meshes: [placedAt(small)] })
    expect(refused).toEqual({ status: 503, body: { detail: expect.stringMatching(/no slicer/) } })
  } finally {
    await node.close()
  }
})
