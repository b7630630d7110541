import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { takeRoom } from '../../../http/room.ts'
import { asId } from '../../../test/ids.ts'
import { placeOf } from './store.service.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true' } })
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const FILES = '/api/v1/g_code_files/'
const FOLDERS = '/api/v1/g_code_folders/'
const ORCA = readFileSync(new URL('../../../lib/gcode/fixtures/orcaslicer.gcode', import.meta.url), 'utf8')

async function send(content: string | Uint8Array<ArrayBuffer>, fields: Record<string, string>, who = owner) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content]), '../../etc/passwd')
  const answer = await fetch(app.url + FILES, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
  return { status: answer.status, json: (await answer.json()) as Record<string, any> }
}
const ask = (method: string, path: string, body?: unknown, who = owner) =>
  call(app, method, path, { token: who.token, body })
const folder = async (name: string, parent: number | null = null) =>
  (await ask('POST', FOLDERS, { name, parent_folder: parent })).json.id as number
const stored = async (user = owner) => {
  const at = join(app.dataFolder, 'files', 'tsd-gcodes', String(user.id))
  return await readdir(at).catch(() => [])
}

describe('a file', () => {
  it('that comes is read, kept and answered as the wire has it', async () => {
    const picture = await sharp({ create: { width: 64, height: 48, channels: 4, background: '#f00' } })
      .png()
      .toBuffer()
    const rows = picture.toString('base64').match(/.{1,78}/g) ?? []
    const drawn = `; thumbnail begin 64x48 9\n${rows.map((row) => `; ${row}`).join('\n')}\n; thumbnail end\n`
    const parent = await folder('Benches')
    const sent = await send(drawn + ORCA, { filename: 'Würfel 20.gcode', parent_folder: String(parent) })
    expect(sent).toEqual({
      status: 201,
      json: {
        id: expect.any(Number),
        resident_printer: null,
        deleted: null,
        deleted_by_cascade: false,
        filename: 'Würfel 20.gcode',
        safe_filename: 'Würfel_20.gcode',
        parent_folder: parent,
        url: expect.stringContaining(`/media/tsd-gcodes/${owner.id}/`),
        num_bytes: Buffer.byteLength(drawn + ORCA),
        agent_signature: null,
        metadata_json: expect.any(String),
        filament_total: 1234.5,
        estimated_time: 3723,
        thumbnail1_url: expect.stringContaining('.png?'),
        thumbnail2_url: null,
        thumbnail3_url: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
    expect(JSON.parse(sent.json['metadata_json'])).toMatchObject({ slicer: 'OrcaSlicer', layer_count: 100 })
    expect(await (await fetch(sent.json['url'])).text()).toBe(drawn + ORCA)
    const shown = await sharp(
      Buffer.from(await (await fetch(sent.json['thumbnail1_url'])).arrayBuffer()),
    ).metadata()
    expect(shown).toMatchObject({ format: 'png', width: 64, height: 48 })
    const one = await ask('GET', `${FILES}${sent.json['id']}/`)
    expect(one.json).toMatchObject({
      user: owner.id,
      print_set: [],
      parent_folder: { id: parent, g_code_file_count: 1 },
    })
  })

  it.each([
    ['x.stl', 'solid', 400, { filename: ['Only .g, .gcode and .gco files are allowed.'] }],
    ['x.gcode', 'PK\u0003\u0004\0\0binary', 400, { error: 'This is not a G-code file: it holds no text.' }],
    ['  ', 'G28', 400, { filename: ['This field may not be blank.'] }],
  ])('called %j with %j is refused, and nothing of it stays', async (filename, content, status, json) => {
    const before = await stored()
    expect(await send(content, { filename })).toEqual({ status, json })
    expect(await stored()).toEqual(before)
  })

  it('with a name longer than a printer can store is handed over by a shorter one, its ending kept', async () => {
    const { status, json } = await send('G28', { filename: `${'齿轮'.repeat(90)}.gcode` })
    expect(status).toBe(201)
    expect(json['safe_filename']).toBe(`${'齿轮'.repeat(32)}.gcode`)
    await ask('DELETE', `${FILES}${json['id']}/`)
  })

  it('larger than the plan allows is refused in its own words', async () => {
    await app.ctx.db.updateTable('users').set({ isPro: false }).where('id', '=', owner.id).execute()
    const answer = await send(new Uint8Array(51 * 1_048_576).fill(59), { filename: 'big.gcode' })
    expect(answer).toEqual({ status: 413, json: { error: 'This file is larger than your plan allows.' } })
  })

  it('keeps a name by which printers know it, however it is renamed', async () => {
    const { json } = await send('G28', { filename: 'a.gcode' })
    const rename = (filename: string) => ask('PATCH', `${FILES}${json['id']}/`, { filename })
    expect(await rename('b.html')).toMatchObject({ status: 400, json: { filename: [expect.any(String)] } })
    expect((await rename('b')).status).toBe(400)
    expect(await rename('b.GCODE')).toMatchObject({ status: 200, json: { filename: 'b.GCODE' } })
  })

  it('finds room once: of twenty that come at the same moment those beyond the quota are refused', async () => {
    const user = await aUser(app)
    const { db } = app.ctx
    // All but three megabytes and what stands around a file.
    const numBytes = 50 * 1_073_741_824 - 3.5 * 1_048_576
    const filler = { userId: user.id, filename: 'x.gcode', safeFilename: 'x.gcode', numBytes, sha256: 'x' }
    const content = JSON.stringify({ container: 'tsd-gcodes', path: 'none' })
    const { id } = await db
      .insertInto('gCodeFiles')
      .values({ ...filler, content })
      .returning('id')
      .executeTakeFirstOrThrow()
    // What is being sliced for them has room of the same quota.
    const room = await takeRoom(app.ctx, app.server.app, {
      ...(await placeOf(app.ctx, user.id)),
      id: 'sliced',
      owner: `slice:${user.id}`,
      numBytes: 3 * 1_048_576,
    })
    expect((await send(`G28 ; ${'x'.repeat(1_048_576)}`, { filename: 'a.gcode' }, user)).status).toBe(413)
    await room.release()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        send(`G28 ; ${n} ${'x'.repeat(1_048_576)}`, { filename: `${n}.gcode` }, user),
      ),
    )
    const isStored = answers.filter(({ status }) => status === 201)
    expect(isStored.length).toBeGreaterThan(0)
    expect(isStored.length).toBeLessThan(4)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const one of refused) expect(one).toEqual({ status: 413, json: { error: 'Storage quota exceeded' } })
    const { used_bytes, storage_bytes } = (await ask('GET', '/api/v1/g_code_storage/', undefined, user)).json
    expect(used_bytes).toBeLessThanOrEqual(storage_bytes)
    // What is refused gives its room back once it is read to its end.
    await expect.poll(() => db.selectFrom('uploadRoom').selectAll().execute()).toEqual([])
    await db.deleteFrom('gCodeFiles').where('id', '=', id).execute()
  })

  it('with the content of another is stored once, and stays until both are deleted', async () => {
    // Nothing of the tests before is on its way out here.
    const other = await aUser(app)
    const askOther: typeof ask = (method, path, body) => ask(method, path, body, other)
    const text = `; layer_height = 0.3\nG28 ; ${Math.random()}\n`
    const [first, second] = [
      await send(text, { filename: 'a.gcode' }, other),
      await send(text, { filename: 'b.gcode' }, other),
    ]
    expect(await stored(other)).toHaveLength(1)
    expect((await askOther('DELETE', `${FILES}${first.json['id']}/`)).status).toBe(204)
    const gone = await askOther('GET', `${FILES}${first.json['id']}/`)
    expect(gone.json).toMatchObject({ deleted: expect.any(String), url: null, filename: 'a.gcode' })
    // Its job has run once its row forgets the content.
    await vi.waitFor(async () => expect(await contentOf(first.json['id'])).toBeNull())
    expect(await (await fetch(second.json['url'])).text()).toBe(text)
    await askOther('POST', `${FILES}bulk_delete/`, { file_ids: [second.json['id'], first.json['id']] })
    await vi.waitFor(async () => expect(await stored(other)).toEqual([]))
    expect((await askOther('PATCH', `${FILES}${second.json['id']}/`, { filename: 'c.gcode' })).status).toBe(
      404,
    )
  })

  it('of another owner is not there', async () => {
    const { json } = await send('G28', { filename: 'mine.gcode' })
    for (const [method, body] of [['GET'], ['PATCH', { filename: 'x.gcode' }], ['DELETE']] as const)
      expect((await ask(method, `${FILES}${json['id']}/`, body, stranger)).status, method).toBe(404)
    await ask('POST', `${FILES}bulk_delete/`, { file_ids: [json['id']] }, stranger)
    const place = await ask('POST', FOLDERS, { name: 'Theirs' }, stranger)
    expect((await ask('PATCH', `${FILES}${json['id']}/`, { parent_folder: place.json.id })).status).toBe(400)
    expect((await send('G28', { filename: 'a.gcode', parent_folder: String(place.json.id) })).status).toBe(
      400,
    )
    expect(
      (await ask('POST', `${FILES}bulk_move/`, { file_ids: [json['id']], parent_folder: place.json.id }))
        .status,
    ).toBe(400)
    expect((await ask('GET', `${FILES}${json['id']}/`)).json).toMatchObject({
      deleted: null,
      parent_folder: null,
    })
  })
})

const contentOf = async (id: number) =>
  (await app.ctx.db.selectFrom('gCodeFiles').select('content').where('id', '=', asId(id)).executeTakeFirst())
    ?.content

describe('lists', () => {
  it('are pages with the addresses of those beside them', async () => {
    const user = await aUser(app)
    const parent = (await ask('POST', FOLDERS, { name: 'In here' }, user)).json.id as number
    for (const name of ['Bb.gcode', 'aa.gcode', 'cc 10%.gcode'])
      await send(`G28 ; ${name}`, { filename: name, parent_folder: String(parent) }, user)
    await send('G28', { filename: 'root.gcode' }, user)
    const names = async (query: string) =>
      (await ask('GET', `${FILES}?${query}`, undefined, user)).json.results.map(
        ({ filename }: any) => filename,
      )
    expect(await names('page_size=9999')).toEqual(['root.gcode', 'cc 10%.gcode', 'aa.gcode', 'Bb.gcode'])
    expect(await names('parent_folder=null')).toEqual(['root.gcode'])
    expect(await names(`parent_folder=${parent}&sorting=filename_asc`)).toEqual([
      'aa.gcode',
      'Bb.gcode',
      'cc 10%.gcode',
    ])
    expect(await names('q=10_')).toEqual(['cc 10%.gcode'])
    expect(await names('q=%25')).toEqual([])
    const second = await ask('GET', `${FILES}?page=2&page_size=3`, undefined, user)
    expect(second.json).toMatchObject({
      count: 4,
      next: null,
      previous: `${app.url}${FILES}?page=1&page_size=3`,
      results: [{ filename: 'Bb.gcode', parent_folder: { name: 'In here' } }],
    })
    for (const page of ['3', '0', 'x', '-1'])
      expect(await ask('GET', `${FILES}?page=${page}&page_size=3`, undefined, user), page).toMatchObject({
        status: 404,
        json: { detail: 'Invalid page.' },
      })
  })

  it('of a printer hold what lives there, by name and signature', async () => {
    const printer = await aPrinter(app, owner)
    const claim = {
      filename: 'p.gcode',
      safe_filename: 'p.gcode',
      agent_signature: 'md5:1',
      url: 'dir/p.gcode',
    }
    await call(app, 'POST', '/api/v1/octo/g_code_files/', { agent: printer.auth_token, body: claim })
    const at = (query: string) => ask('GET', `${FILES}?resident_printer=${printer.id}&${query}`)
    const { json } = await at('')
    expect(json).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id: expect.any(Number),
          user: owner.id,
          resident_printer: printer.id,
          deleted: null,
          deleted_by_cascade: false,
          filename: 'p.gcode',
          safe_filename: 'p.gcode',
          parent_folder: null,
          url: 'dir/p.gcode',
          num_bytes: null,
          agent_signature: 'md5:1',
          metadata_json: null,
          filament_total: null,
          estimated_time: null,
          thumbnail1_url: null,
          thumbnail2_url: null,
          thumbnail3_url: null,
          created_at: expect.any(String),
          updated_at: expect.any(String),
          print_set: [],
        },
      ],
    })
    const gCodeFileId = json.results[0].id as number
    const print = { userId: owner.id, printerId: printer.id, filename: 'p.gcode', gCodeFileId }
    await app.ctx.db
      .insertInto('prints')
      .values([asId({ ...print, extId: 81 }), asId({ ...print, extId: 82, deletedAt: new Date() })])
      .execute()
    expect((await at('')).json.results).toMatchObject([
      { print_set: [{ filename: 'p.gcode', printer: { id: printer.id }, g_code_file: { id: gCodeFileId } }] },
    ])
    expect((await at('safe_filename=p.gcode&agent_signature=md5:1')).json.count).toBe(1)
    expect((await at('safe_filename=p.gcode&agent_signature=md5:2')).json.count).toBe(0)
    expect((await ask('GET', `${FILES}?q=p.gcode`)).json.count).toBe(0)
  })
})

it('folders, the way to one, copies and the room there is are answered as the wire has them', async () => {
  const user = await aUser(app)
  const [outer, inner] = [
    (await ask('POST', FOLDERS, { name: 'Außen 1' }, user)).json.id as number,
    (await ask('POST', FOLDERS, { name: 'Inner' }, user)).json.id as number,
  ]
  await ask('PATCH', `${FOLDERS}${inner}/`, { parent_folder: outer }, user)
  const first = await send('G28 ; twice', { filename: 'a.gcode' }, user)
  const second = await send('G28 ; twice', { filename: 'b.gcode', parent_folder: String(inner) }, user)
  const base = { created_at: expect.any(String), updated_at: expect.any(String) }
  const top = {
    id: outer,
    name: 'Außen 1',
    safe_name: 'Außen_1',
    parent_folder: null,
    g_code_folder_count: 1,
    g_code_file_count: 0,
    ...base,
  }
  const below = {
    id: inner,
    name: 'Inner',
    safe_name: 'Inner',
    parent_folder: outer,
    g_code_folder_count: 0,
    g_code_file_count: 1,
    ...base,
  }
  expect((await ask('GET', `${FOLDERS}?parent_folder=${outer}`, undefined, user)).json).toEqual({
    count: 1,
    next: null,
    previous: null,
    results: [{ ...below, parent_folder: top }],
  })
  expect((await ask('GET', `${FOLDERS}${inner}/path/`, undefined, user)).json).toEqual([top, below])
  expect((await ask('GET', `${FOLDERS}${inner}/path/`)).status).toBe(404)
  const copies = (id: number, who = user) => ask('GET', `${FILES}${id}/copies/`, undefined, who)
  expect((await copies(first.json['id'])).json).toEqual([
    { id: second.json['id'], filename: 'b.gcode', parent_folder: below },
  ])
  expect((await copies(first.json['id'], owner)).status).toBe(404)
  const room = async () => (await ask('GET', '/api/v1/g_code_storage/', undefined, user)).json
  const bytes = 'G28 ; twice'.length
  expect(await room()).toEqual({
    used_bytes: bytes,
    storage_bytes: 50 * 1_073_741_824,
    file_bytes: 500 * 1_048_576,
  })
  await ask('DELETE', `${FILES}${first.json['id']}/`, undefined, user)
  await vi.waitFor(async () => expect(await contentOf(first.json['id'])).toBeNull())
  expect((await copies(second.json['id'])).json).toEqual([])
  expect(await room()).toMatchObject({ used_bytes: bytes })
})

describe('a folder', () => {
  it('has a name of its own where it lies, whichever way it came there', async () => {
    const [a, b] = [await folder('A b'), await folder('B')]
    const inner = await folder('A_b', b)
    const twice = { status: 400, json: { name: ['Already existed.'] } }
    expect(await ask('POST', FOLDERS, { name: 'A_b' })).toMatchObject(twice)
    expect(await ask('PATCH', `${FOLDERS}${b}/`, { name: 'A b' })).toMatchObject(twice)
    expect(await ask('PATCH', `${FOLDERS}${inner}/`, { parent_folder: null })).toMatchObject(twice)
    expect(await ask('POST', `${FOLDERS}bulk_move/`, { folder_ids: [a], parent_folder: b })).toMatchObject(
      twice,
    )
    expect((await ask('GET', `${FOLDERS}${inner}/`)).json).toMatchObject({
      parent_folder: { id: b, g_code_folder_count: 1 },
    })
    expect((await ask('POST', FOLDERS, { name: 'A b' }, stranger)).status).toBe(201)
  })

  it('is never put into itself, also when two moves come at once', async () => {
    const outer = await folder('outer')
    const inner = await folder('inner', outer)
    expect((await ask('PATCH', `${FOLDERS}${outer}/`, { parent_folder: inner })).status).toBe(400)
    expect(
      (await ask('POST', `${FOLDERS}bulk_move/`, { folder_ids: [outer], parent_folder: outer })).status,
    ).toBe(400)
    const other = await folder('other')
    const moves = await Promise.all([
      ask('PATCH', `${FOLDERS}${outer}/`, { parent_folder: other }),
      ask('PATCH', `${FOLDERS}${other}/`, { parent_folder: outer }),
    ])
    expect(moves.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('goes with all that lies in it, and prints still name their file', async () => {
    const top = await folder('to go')
    const { json } = await send(`G28 ; ${Math.random()}`, {
      filename: 'deep.gcode',
      parent_folder: String(await folder('deep', top)),
    })
    expect((await ask('DELETE', `${FOLDERS}${top}/`, undefined, stranger)).status).toBe(404)
    expect((await ask('DELETE', `${FOLDERS}${top}/`)).status).toBe(204)
    expect((await ask('GET', `${FILES}${json['id']}/`)).json).toMatchObject({
      deleted_by_cascade: true,
      url: null,
      parent_folder: null,
    })
    await vi.waitFor(async () => expect(await contentOf(json['id'])).toBeNull())
    expect((await ask('GET', `${FOLDERS}?parent_folder=${top}`)).json.count).toBe(0)
  })
})

it('a slicer hears that it has reached us', async () => {
  expect((await ask('GET', '/api/v1/version/')).json).toEqual({ version: '1.0.0' })
})
