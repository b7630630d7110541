import { sharedTimelapse, printLink } from '@vigil/contract/prints/print-links.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MediaRef } from '../../../engines/files/port.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'

const film: MediaRef = { container: 'tsd-timelapses', path: 'private/77.mp4' }
const figures: MediaRef = { container: 'tsd-timelapses', path: 'private/77_p.json' }
const poster: MediaRef = { container: 'tsd-pics', path: 'private/77.jpg' }

let app: TestApp
let owner: TestUser
let printerId: number
let printId: number

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printerId = (await aPrinter(app, owner, 'Secret printer')).id
  await app.ctx.db.updateTable('users').set({ firstName: 'Ada', lastName: 'L' }).execute()
  await app.ctx.files.put(film, Buffer.from('0123456789'))
  await app.ctx.files.put(poster, Buffer.from('a picture'))
  const frame = (normalized_p: number) => ({
    model: 'app.printerprediction',
    pk: 7,
    fields: { normalized_p },
  })
  await app.ctx.files.put(figures, Buffer.from(JSON.stringify([frame(0.1), {}, frame(0.8)])))
})
afterAll(() => app.close())
beforeEach(async () => {
  printId = await aPrint()
})

const stored = (ref: MediaRef) => JSON.stringify(ref)
async function aPrint(values: object = {}): Promise<number> {
  const row = await app.ctx.db
    .insertInto('prints')
    .values(
      asId({
        userId: owner.id,
        printerId,
        filename: 'secret part.gcode',
        finishedAt: new Date(),
        video: stored(film),
        poster: stored(poster),
        predictionJson: stored(figures),
        ...values,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const link = (method: string, id = printId, who = owner) =>
  call(app, method, `/api/v1/prints/${id}/link/`, { cookie: who.cookie })
const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-2) ?? ''
const see = (token: string) => call(app, 'GET', `/api/v1p/timelapse/?share_token=${token}`, {})

describe('the link to a time-lapse', () => {
  it('is off until its owner makes it, stays the same, and another’s print does not exist', async () => {
    expect((await link('GET')).json).toEqual({
      print_id: printId,
      url: null,
      created_at: null,
      obstacle: null,
    })
    const [one, two] = await Promise.all([link('PUT'), link('PUT')])
    expect(printLink.strict().parse(one.json)).toEqual(two.json)
    expect(one.json.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/prints\/share_token\/[0-9a-f]{36}\/$/)
    expect((await link('GET')).json).toEqual(one.json)
    const stranger = await aUser(app)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await link(method, printId, stranger)).status).toBe(404)
  })

  it('shows its creator’s name, the film and the gauge, and nothing else of the print', async () => {
    const { json } = await see(tokenOf((await link('PUT')).json.url))
    expect(sharedTimelapse.strict().parse(json)).toEqual({
      creator_name: 'Ada L',
      video_url: expect.stringMatching(/\/api\/v1p\/timelapse\/[0-9a-f]{36}\/video\.mp4$/),
      poster_url: expect.stringMatching(/\/poster\.jpg$/),
      predictions: [{ p: 0.1 }, { p: null }, { p: 0.8 }],
    })
    // a port and a token have digits of their own
    const said = JSON.stringify(json).replaceAll(/http:\S+?\/timelapse\/[0-9a-f]+/g, '')
    expect(said).not.toMatch(/secret|private|"id"|printer|77/i)
    const part = await fetch(json.video_url, { headers: { range: 'bytes=2-4' } })
    expect([part.status, await part.text()]).toEqual([206, '234'])
    expect(part.headers.get('cache-control')).toBe('private, no-cache')
    expect(await (await fetch(json.poster_url)).text()).toBe('a picture')
  })

  it('shows nothing from the moment it is taken back, the film neither; a new one is another', async () => {
    const before = (await link('PUT')).json.url
    const { video_url } = (await see(tokenOf(before))).json
    expect((await link('DELETE')).json.url).toBeNull()
    expect((await see(tokenOf(before))).status).toBe(404)
    expect((await fetch(video_url)).status).toBe(404)
    expect((await link('PUT')).json.url).not.toBe(before)
    expect((await see(tokenOf(before))).status).toBe(404)
  })
})

describe('such a link', () => {
  it('leads nowhere when it is wrong, the print is deleted, its film is gone, or its owner is', async () => {
    for (const wrong of ['', 'x', '0'.repeat(36), '../x']) expect((await see(wrong)).status).toBe(404)
    const token = tokenOf((await link('PUT')).json.url)
    const change = async (values: object) => {
      await app.ctx.db.updateTable('prints').set(values).where('id', '=', asId(printId)).execute()
      return (await see(token)).status
    }
    expect(await change({ deletedAt: new Date() })).toBe(404)
    expect(await change({ deletedAt: null, video: null })).toBe(404)
    expect(await change({ taggedVideo: stored(film) })).toBe(200)
    const setActive = (isActive: boolean) =>
      app.ctx.db.updateTable('users').set({ isActive }).where('id', '=', owner.id).execute()
    await setActive(false)
    expect((await see(token)).status).toBe(404)
    await setActive(true)
    for (const file of ['tagged.mp4', 'p.json', 'x', '..%2f77.mp4'])
      expect((await fetch(`${app.url}/api/v1p/timelapse/${token}/${file}`)).status).toBe(404)
  })

  it('can’t be made without a video, and says so', async () => {
    const bare = await aPrint({ video: null })
    expect((await link('GET', bare)).json.obstacle).toBe('no_video')
    expect(await link('PUT', bare)).toMatchObject({
      status: 400,
      json: { detail: 'This print has no video that could be shared.' },
    })
  })
})
