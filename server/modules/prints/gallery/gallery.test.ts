import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { publish, removeStrayCopies } from './copies.service.ts'
import { aFilmedPrint, anAdmin, aTalkativeFilm, SECRETS } from './gallery.fixture.ts'
import { copyAt, flatScores } from './gallery.rules.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let admin: TestUser
let film: Buffer

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  admin = await anAdmin(app)
  film = await aTalkativeFilm()
})
afterAll(() => app?.close())

const offering = (id: number, method: string, body?: unknown, who = owner) =>
  call(app, method, `/api/v1/prints/${id}/gallery/`, { cookie: who.cookie, body })
const offer = (id: number, creator_name = 'Ada', who = owner) =>
  offering(id, 'PUT', { creator_name, consent: true }, who)
const list = (state = 'offered', query = '') =>
  call(app, 'GET', `/api/v1/gallery/entries/?state=${state}${query}`, { cookie: admin.cookie })
const decide = (id: number, body: unknown, who = admin) =>
  call(app, 'PATCH', `/api/v1/gallery/entries/${id}/`, { cookie: who.cookie, body })
/** Accepts what is seen now. */
async function accept(id: number, who = admin) {
  const { entries } = (await list('offered', '&limit=100')).json
  const { version } = entries.find((entry: { id: number }) => entry.id === id) ?? { version: 'none' }
  return await decide(id, { decision: 'accept', version }, who)
}
const shown = async (query = '') => (await call(app, 'GET', `/ent/api/publictimelapse/${query}`)).json
const entryOf = async (printId: number) =>
  await app.ctx.db
    .selectFrom('publicTimelapses')
    .selectAll()
    .where('printId', '=', asId(printId))
    .executeTakeFirstOrThrow()
const audits = async (printId: number) =>
  (
    await app.ctx.db
      .selectFrom('audit')
      .selectAll()
      .where('printId', '=', asId(printId))
      .orderBy('id')
      .execute()
  ).map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`)

/** A print that everybody may see. */
async function aPublic(creatorName = 'Ada') {
  const printId = await aFilmedPrint(app, owner, film)
  await offer(printId, creatorName)
  const { id } = await entryOf(printId)
  expect((await accept(id)).status).toBe(200)
  await eventually(async () => ((await entryOf(printId)).state === 'public' ? true : undefined))
  const item = (await shown()).find((one: { id: number }) => one.id === id)
  return { printId, id, item: item as Record<'video_url' | 'poster_url' | 'p_json_url', string> }
}

describe('a time-lapse that is offered to everybody', () => {
  it('is shown once an administrator has accepted it, bare of whose it is, until it is withdrawn', async () => {
    const printId = await aFilmedPrint(app, owner, film)
    expect((await offering(printId, 'GET')).json).toEqual({
      print_id: printId,
      state: 'none',
      creator_name: null,
      reason: null,
      offered_at: null,
      public_at: null,
      obstacle: null,
    })
    expect((await offering(printId, 'PUT', { creator_name: 'Ada' })).status, 'without consent').toBe(400)
    expect((await offer(printId)).json).toMatchObject({ state: 'offered', creator_name: 'Ada' })
    expect((await offer(printId, 'Ada L.')).json, 'before it is decided').toMatchObject({
      creator_name: 'Ada L.',
    })
    expect(await shown()).toEqual([])

    const { entries, counts } = (await list()).json
    expect(counts).toEqual({ offered: 1, accepted: 0, public: 0, refused: 0, removed: 0 })
    expect(entries).toMatchObject([
      { state: 'offered', creator_name: 'Ada L.', priority: 0, public_at: null },
    ])
    const seen = await fetch(entries[0].video_url)
    expect(seen.status, 'an administrator may look at it').toBe(200)
    await seen.arrayBuffer()

    expect((await accept(entries[0].id)).json.state).toMatch(/accepted|public/)
    await eventually(async () => ((await shown()).length > 0 ? true : undefined))
    const golden = await shown()
    const at = `${app.url}/ent_pub/timelapses/${(await entryOf(printId)).key}`
    expect(golden).toEqual([
      {
        id: entries[0].id,
        creator_name: 'Ada L.',
        p_json_url: `${at}/p.json`,
        video_url: `${at}/video.mp4`,
        poster_url: `${at}/poster.jpg`,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])

    const [video, poster, scores] = await Promise.all(
      [golden[0].video_url, golden[0].poster_url, golden[0].p_json_url].map((url: string) => fetch(url)),
    )
    expect(video!.headers.get('content-type')).toBe('video/mp4')
    const bytes = Buffer.from(await video!.arrayBuffer())
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    expect(bytes.includes('mp4a'), 'no sound').toBe(false)
    expect(film.toString('latin1'), 'the film itself tells').toContain('geheimes_teil')
    expect(await scores!.json()).toEqual([{ p: 0.1 }, { p: 0.1 }, { p: 0.823 }])
    const told = [bytes.toString('latin1'), Buffer.from(await poster!.arrayBuffer()).toString('latin1')]
    for (const text of [...told, JSON.stringify(golden)])
      for (const secret of [...SECRETS, owner.email, 'gcode', 'private/']) expect(text).not.toContain(secret)
    const part = await fetch(golden[0].video_url, { headers: { range: 'bytes=0-99' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])

    expect((await offering(printId, 'DELETE')).json).toMatchObject({ state: 'none', creator_name: null })
    expect(await shown(), 'at once').toEqual([])
    for (const url of [golden[0].video_url, golden[0].poster_url, golden[0].p_json_url])
      expect((await fetch(url)).status).toBe(404)
    const key = (await entryOf(printId)).key!
    await eventually(async () =>
      (await app.ctx.files.stat(copyAt(key, 'video.mp4'))) === null ? true : undefined,
    )
    expect(await audits(printId)).toEqual([
      'user gallery.offer offered',
      'user gallery.offer offered',
      'admin gallery.accept accepted',
      'user gallery.withdraw withdrawn',
    ])
    expect((await entryOf(printId)).creatorName, 'the name is not kept').toBe('')
  })

  it('is accepted as it was seen: not under another name, and not with another film', async () => {
    const printId = await aFilmedPrint(app, owner, film)
    await offer(printId)
    const { id } = await entryOf(printId)
    const seen = async () =>
      (await list()).json.entries.find((entry: { id: number }) => entry.id === id).version as string
    const first = await seen()
    expect((await decide(id, { decision: 'accept' })).json).toEqual({ version: ['This field is required.'] })
    await offer(printId, 'Somebody else')
    expect((await decide(id, { decision: 'accept', version: first })).status).toBe(409)
    const second = await seen()
    const { taggedVideo } = await app.ctx.db
      .selectFrom('prints')
      .select('taggedVideo')
      .where('id', '=', asId(printId))
      .executeTakeFirstOrThrow()
    await app.ctx.files.put(taggedVideo!, Buffer.concat([film, Buffer.alloc(8)]))
    expect((await decide(id, { decision: 'accept', version: second })).status).toBe(409)
    expect((await entryOf(printId)).state).toBe('offered')
    // Between decision and copies: it is asked anew, and nobody was shown it.
    const accepted = { state: 'accepted', acceptedVersion: second }
    await app.ctx.db.updateTable('publicTimelapses').set(accepted).where('id', '=', id).execute()
    await publish(app.ctx, id, AbortSignal.timeout(60_000))
    expect(await entryOf(printId)).toMatchObject({ state: 'offered', key: null, decidedAt: null })
    await offering(printId, 'DELETE')
  })

  it('is refused or taken down with a reason that its owner reads, and is not offered again', async () => {
    const refused = await aFilmedPrint(app, owner, film)
    await offer(refused)
    const { id } = await entryOf(refused)
    expect((await decide(id, { decision: 'refuse', reason: ' ' })).json).toEqual({
      reason: ['This field may not be blank.'],
    })
    expect((await decide(id, { decision: 'take_down', reason: 'x' })).status, 'it is not shown').toBe(409)
    expect((await decide(id, { decision: 'refuse', reason: 'A face is seen.' })).status).toBe(200)
    expect((await offering(refused, 'GET')).json).toMatchObject({
      state: 'refused',
      reason: 'A face is seen.',
    })
    expect((await offer(refused)).status).toBe(409)
    await offering(refused, 'DELETE')
    expect((await offer(refused)).status, 'nor after a withdrawal').toBe(409)

    const { printId, id: entry, item } = await aPublic()
    expect((await decide(entry, { decision: 'take_down', reason: 'Advertising.' })).json.state).toBe(
      'removed',
    )
    expect((await fetch(item.video_url)).status).toBe(404)
    expect(await shown()).toEqual([])
    expect((await offering(printId, 'GET')).json).toMatchObject({ state: 'removed', reason: 'Advertising.' })
    expect((await audits(printId)).at(-1)).toBe('admin gallery.take_down removed')
    expect((await list('removed')).json.counts).toMatchObject({ refused: 1, removed: 1 })
  })

  it('ends in the middle of being looked at when it is withdrawn', async () => {
    const { printId, item } = await aPublic()
    const { key } = await entryOf(printId)
    const size = 64 * 1024 * 1024
    await app.ctx.files.put(copyAt(key!, 'video.mp4'), Buffer.alloc(size, 1))
    const [answer] = await once(request(item.video_url).end(), 'response')
    let got = 0
    answer.on('data', (chunk: Buffer) => {
      got += chunk.length
      answer.pause()
    })
    await once(answer, 'data')
    const ended = new Promise((resolve) => answer.once('close', resolve).on('error', () => undefined))
    await offering(printId, 'DELETE')
    answer.on('data', () => answer.resume()).resume()
    await ended
    expect(got).toBeLessThan(size)
    expect((await fetch(item.video_url)).status).toBe(404)
    expect((await call(app, 'GET', '/hc/')).status).toBe(200)
  })

  it('is gone with its print, and its copies are swept', async () => {
    const { printId, item } = await aPublic()
    const { key } = await entryOf(printId)
    await app.ctx.db
      .updateTable('prints')
      .set({ deletedAt: new Date() })
      .where('id', '=', asId(printId))
      .execute()
    expect((await fetch(item.video_url)).status).toBe(404)
    app.advance(6 * 60_000)
    expect(await shown()).toEqual([])
    await removeStrayCopies(app.ctx, AbortSignal.timeout(60_000))
    expect(await app.ctx.files.stat(copyAt(key!, 'video.mp4')), 'may be on its way still').not.toBeNull()
    app.advance(25 * 3_600_000)
    await removeStrayCopies(app.ctx, AbortSignal.timeout(60_000))
    expect(await app.ctx.files.stat(copyAt(key!, 'video.mp4'))).toBeNull()
  })

  it('is shown in the order that administrators give, in pages', async () => {
    const low = await aPublic('Low')
    const high = await aPublic('High')
    await decide(low.id, { priority: 5 })
    expect((await decide(high.id, { priority: 7 })).json.priority).toBe(7)
    const names = (items: { creator_name: string }[]) => items.map(({ creator_name: name }) => name)
    expect(names(await shown())).toEqual(['High', 'Low'])
    expect(names(await shown('?start=1&limit=1'))).toEqual(['Low'])
    expect((await decide(high.id, { priority: 1001 })).status).toBe(400)
    for (const { printId } of [low, high]) await offering(printId, 'DELETE')
  })

  it('is nobody else’s to offer, and only an administrator’s to decide', async () => {
    const printId = await aFilmedPrint(app, owner, film)
    const stranger = await aUser(app)
    expect((await offer(printId, 'Eve', stranger)).status).toBe(404)
    await offer(printId)
    const { id } = await entryOf(printId)
    expect((await accept(id, owner)).status).toBe(403)
    const refused = await call(app, 'GET', '/api/v1/gallery/entries/', { cookie: stranger.cookie })
    expect(refused).toMatchObject({ status: 403, json: { detail: 'Only administrators may do this.' } })
    const { json } = await call(app, 'GET', '/api/v1/bootstrap/', { cookie: admin.cookie })
    expect([json.is_admin, (await call(app, 'GET', '/api/v1/bootstrap/', stranger)).json.is_admin]).toEqual([
      true,
      false,
    ])
    await offering(printId, 'DELETE')
    expect((await accept(id)).status, 'withdrawn meanwhile').toBe(404)
  })

  it('has a name of one line, which is text whatever stands in it', async () => {
    const printId = await aFilmedPrint(app, owner, film)
    const name = '<img src=x onerror=alert(1)>\u202e\n"Ada"\t & co'
    expect((await offer(printId, name)).json.creator_name).toBe('<img src=x onerror=alert(1)> "Ada" & co')
    for (const bad of ['', ' \n ', '\u202e', 'x'.repeat(61), 7, null, '\0'])
      expect([bad, (await offer(printId, bad as string)).status]).toEqual([bad, 400])
    await offering(printId, 'DELETE')
  })

  it('needs a film, which of an uploaded one is that which Vigil made', async () => {
    const ref = JSON.stringify({ container: 'tsd-timelapses', path: 'x.mp4' })
    const without = { taggedVideo: null }
    const uploaded = { taggedVideo: null, video: ref, uploadedAt: new Date() }
    for (const more of [without, uploaded]) {
      const printId = await aFilmedPrint(app, owner, film, more)
      expect((await offering(printId, 'GET')).json.obstacle).toBe('no_video')
      expect((await offer(printId)).status).toBe(400)
    }
    expect(flatScores('no list')).toEqual([])
    expect(flatScores([{}, [{ fields: { normalized_p: 7 } }], [{ fields: {} }]])).toEqual([
      { p: 0 },
      { p: 1 },
      { p: 1 },
    ])
  })

  it('that waits among ten thousand is found, and twenty of one owner are enough', async () => {
    const many = await aUser(app)
    const { db } = app.ctx
    const prints = await db
      .insertInto('prints')
      .values(Array.from({ length: 10_000 }, (_, at) => ({ userId: many.id, filename: `${at}.gcode` })))
      .returning('id')
      .execute()
    const consentedAt = new Date()
    for (let at = 0; at < prints.length; at += 2_000)
      await db
        .insertInto('publicTimelapses')
        .values(
          prints.slice(at, at + 2_000).map(({ id: printId }) => ({
            printId,
            userId: many.id,
            state: 'offered',
            creatorName: 'M',
            consentedAt,
          })),
        )
        .execute()
    const page = (await list('offered', '&start=9990&limit=100')).json
    expect([page.entries.length, page.counts.offered]).toEqual([10, 10_000])
    expect((await list('offered', '&limit=5000')).json.entries.length).toBe(100)
    const printId = await aFilmedPrint(app, many, film)
    expect((await offer(printId, 'M', many)).json.detail).toMatch(/^20 of your time-lapses wait/)
  })

  it('stands at its old address too', async () => {
    const moved = await call(app, 'GET', '/publictimelapses/', { headers: { accept: 'text/html' } })
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/ent_pub/publictimelapses/'])
    for (const path of ['x/video.mp4', `${'a'.repeat(22)}/video.mp4`, `${'a'.repeat(22)}/..%2f..%2fx`])
      expect((await fetch(`${app.url}/ent_pub/timelapses/${path}`)).status).toBe(404)
  })
})
