import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { boxTriangles, stlOf } from '../../../test/meshes.ts'

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
) {
  const form = new FormData()
  if (versionOf !== undefined) form.set('version_of', String(versionOf))
  form.set('file', new Blob([bytes]), filename)
  const headers = { cookie: who.cookie }
  const answer = await fetch(`${app.url}${MODELS}?lang=${language}`, { method: 'POST', body: form, headers })
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
