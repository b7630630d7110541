import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aNode, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { boxTriangles, stlOf } from '../../../test/meshes.ts'
import { isSlicerThere } from '../../../test/slicer.ts'
import { stepBox } from '../../../test/step.ts'

let app: TestApp
let owner: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app?.close())

const MODELS = '/ent/api/slicer/models/'

async function bring(
  filename: string,
  bytes: Uint8Array<ArrayBuffer>,
  who = owner,
  language = 'en',
  versionOf?: number,
  { url }: Pick<TestApp, 'url'> = app,
) {
  const form = new FormData()
  if (versionOf !== undefined) form.set('version_of', String(versionOf))
  form.set('file', new Blob([bytes]), filename)
  const headers = { cookie: who.cookie }
  const answer = await fetch(`${url}${MODELS}?lang=${language}`, { method: 'POST', body: form, headers })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

async function storedFiles(): Promise<string[]> {
  const paths: string[] = []
  for await (const path of app.ctx.files.list('tsd-gcodes', `models/${owner.id}`)) paths.push(path)
  return paths
}

it('keeps a mesh, shows it, gives it back mended, and lets it go', async () => {
  const { status, body } = await bring('../My box.v2.STL', stlOf(boxTriangles(20, 30, 40), 7))
  expect(status).toBe(201)
  expect(body).toMatchObject({ triangles: 12, size: [20, 30, 40], notes: [{ about: 'count', count: 1 }] })
  expect(body.name).toBe('My box.v2')

  const picture = await fetch(body.thumbnail_url)
  expect(picture.headers.get('content-type')).toBe('image/png')
  const mesh = await fetch(app.url + body.mesh_url, { headers: { cookie: owner.cookie } })
  expect((await mesh.arrayBuffer()).byteLength).toBe(84 + 12 * 50)

  const stranger = await aUser(app)
  const foreign = await fetch(app.url + body.mesh_url, { headers: { cookie: stranger.cookie } })
  expect(foreign.status).toBe(404)
  expect((await call(app, 'GET', MODELS, { cookie: stranger.cookie })).json).toEqual([])

  const renamed = await call(app, 'PATCH', `${MODELS}${body.id}/`, {
    cookie: owner.cookie,
    body: { name: ' Box ' },
  })
  expect(renamed.json).toMatchObject({ name: 'Box' })
  expect(await storedFiles()).toHaveLength(2)
  expect((await call(app, 'DELETE', `${MODELS}${body.id}/`, { cookie: owner.cookie })).status).toBe(204)
  expect((await call(app, 'GET', MODELS, { cookie: owner.cookie })).json).toEqual([])
  expect(await storedFiles()).toEqual([])
})

it('refuses what is no mesh in a sentence, in both languages, and keeps nothing of it', async () => {
  const flat = await bring('flat.stl', stlOf(boxTriangles(20, 20, 0)))
  expect(flat).toEqual({
    status: 400,
    body: { error: 'This mesh has no thickness: there is nothing to print.' },
  })
  expect((await bring('flat.stl', stlOf(boxTriangles(20, 20, 0)), owner, 'zh')).body.error).toMatch(/网格/)
  expect((await bring('a.gcode', stlOf(boxTriangles(20)))).body.error).toMatch(/\.3mf/)
  expect(await storedFiles()).toEqual([])
})

it('another version of a model has its name, and is of its family; of a stranger’s it is one of its own', async () => {
  const first = await bring('Hook.stl', stlOf(boxTriangles(20)))
  expect(first.body.family).toBe(first.body.id)
  const second = await bring('hook final (2).stl', stlOf(boxTriangles(30)), owner, 'en', first.body.id)
  expect(second.body).toMatchObject({ name: 'Hook', family: first.body.id })
  const third = await bring('x.stl', stlOf(boxTriangles(40)), owner, 'en', second.body.id)
  expect(third.body.family).toBe(first.body.id)
  const stranger = await bring('y.stl', stlOf(boxTriangles(40)), await aUser(app), 'en', first.body.id)
  expect(stranger.body).toMatchObject({ name: 'y', family: stranger.body.id })
})

const cut = (id: number, body: object, who = owner) =>
  call(app, 'POST', `${MODELS}${id}/cut/`, { cookie: who.cookie, body })

it('a mesh is cut by a plane into two that are closed; it stays itself', async () => {
  const { body } = await bring('Box.stl', stlOf(boxTriangles(20, 30, 40)))
  const { status, json } = await cut(body.id, { normal: [0, 0, 1], offset: -10 })
  expect(status).toBe(201)
  expect(json).toMatchObject([
    { name: 'Box (1)', size: [20, 30, 10], notes: [] },
    { name: 'Box (2)', size: [20, 30, 30], notes: [] },
  ])
  const slanted = await cut(body.id, { normal: [0.6, 0, 0.8], offset: 0, keep: 'above' })
  expect(slanted.json).toMatchObject([{ name: 'Box (1)', size: [20, 30, 27.5], notes: [] }])
  const all = (await call(app, 'GET', MODELS, { cookie: owner.cookie })).json
  expect(all.find(({ id }: { id: number }) => id === body.id)).toMatchObject({ size: [20, 30, 40] })
})

it('what cannot be cut there is said, and nothing comes of it', async () => {
  const { body } = await bring('Whole.stl', stlOf(boxTriangles(20)))
  const beside = await cut(body.id, { normal: [1, 0, 0], offset: 10.5 })
  expect(beside).toMatchObject({ status: 400, json: { error: 'The plane does not go through the mesh.' } })
  const open = await bring('Open.stl', stlOf(boxTriangles(20).slice(9)))
  const refused = await cut(open.body.id, { normal: [0, 0, 1], offset: 0 })
  expect(refused).toMatchObject({ status: 400, json: { error: expect.stringMatching(/open/) } })
  expect((await cut(body.id, { normal: [0, 0, 0], offset: 0 })).status).toBe(400)
  expect((await cut(body.id, { normal: [0, 0, 1], offset: 0 }, await aUser(app))).status).toBe(404)
})

it.skipIf(!isSlicerThere)(
  'a STEP file becomes a mesh where the slicer makes one of it; what is none is said',
  async () => {
    const { status, body } = await bring('Bracket.STEP', stepBox(20, 30, 40))
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Bracket', triangles: 12, size: [20, 30, 40], notes: [] })
    const none = await bring('none.stp', new Uint8Array(Buffer.from('ISO-10303-21;\nnothing')))
    expect(none).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/STEP file could not be read/) },
    })
  },
)

it('who asks for many cuts at once has one mesh on the disk at a time', async () => {
  const { body } = await bring('Many.stl', stlOf(boxTriangles(20)))
  const before = process.env['TMPDIR']
  const folder = await mkdtemp(join(tmpdir(), 'vigil-many-'))
  process.env['TMPDIR'] = folder
  try {
    let isOver = false
    const asked = Promise.all([1, 2, 3].map((offset) => cut(body.id, { normal: [0, 0, 1], offset })))
    const all = asked.finally(() => void (isOver = true))
    let most = 0
    while (!isOver) {
      most = Math.max(most, (await readdir(folder)).filter((name) => name.startsWith('vigil-cut-')).length)
      await otherWork()
    }
    expect((await all).map(({ status }) => status)).toEqual([201, 201, 201])
    expect(most).toBe(1)
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(folder, { recursive: true, force: true })
  }
})

/** Stands in for the slicer: writes down when it begins and ends, and makes the same box of whatever it is given. */
const program = (folder: string) => `#!/bin/sh
echo begun >> ${folder}/log
sleep 0.5
while [ "$1" != -o ]; do shift; done
cp ${folder}/box.stl "$2"
echo ended >> ${folder}/log
`

it('the slicer makes a mesh of one STEP file at a time, however many come', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-step-'))
  await writeFile(join(folder, 'box.stl'), stlOf(boxTriangles(20)))
  await writeFile(join(folder, 'log'), '')
  const slicer = join(folder, 'slicer')
  await writeFile(slicer, program(folder))
  for (const path of [folder, slicer, join(folder, 'log')]) await chmod(path, 0o777)
  const node = await aNode(app.databaseUrl, { SLICER_PROGRAM: slicer })
  try {
    const brought = await Promise.all(
      [1, 2, 3].map(() => bring('a.step', stepBox(20, 20, 20), owner, 'en', undefined, node)),
    )
    expect(brought.map(({ status }) => status)).toEqual([201, 201, 201])
    const said = (await readFile(join(folder, 'log'), 'utf8')).trim().split('\n')
    expect(said).toEqual(['begun', 'ended', 'begun', 'ended', 'begun', 'ended'])
  } finally {
    await node.close()
    await rm(folder, { recursive: true, force: true })
  }
})
