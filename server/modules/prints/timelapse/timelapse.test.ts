import { anInspection } from '../../../test/inspection.ts'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import * as contract from '@vigil/contract/prints/timelapse.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aPrinter,
  aUser,
  blindDetector,
  buildTestApp,
  call,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { aChannel, owedTo } from '../../../test/notified.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { keepUp } from './due.service.ts'
import { makeTimelapse } from './make.service.ts'
import { aFilmedPrint, aPicture } from './timelapse.fixture.ts'
import { asId } from '../../../test/ids.ts'

/** Sees a failure in every third picture. */
let looks = 0
const detector = blindDetector({
  submit: () => {
    looks++
    const fails = looks % 3 === 0
    const boxes = fails ? [{ x: 100, y: 80, w: 60, h: 50, score: 0.8 }] : []
    const inspection = anInspection(looks, fails ? 0.8 : 0.1, { boxes, heat: null })
    return Promise.resolve({ kind: 'inspected', inspection })
  },
})

let app: TestApp
let owner: TestUser
const folder = mkdtempSync(join(tmpdir(), 'vigil-timelapse-'))

beforeAll(async () => {
  app = await buildTestApp({ detector })
  owner = await aUser(app)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string, who: TestUser = owner, headers = {}) =>
  call(app, 'GET', path, { cookie: who.cookie, headers })
const timelapse = async (printId: number): Promise<Timelapse> =>
  contract.timelapse.strict().parse((await get(`/api/v1/prints/${printId}/timelapse/`)).json)
const printOf = async (printId: number) => (await get(`/api/v1/prints/${printId}/`)).json
const make = (printId: number) => makeTimelapse(app.ctx, asId(printId), app.ctx.stopping)

async function download(url: string): Promise<string> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  const path = join(folder, `${Math.random()}.mp4`)
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

const probe = (path: string) =>
  JSON.parse(
    execFileSync('ffprobe', [
      '-v',
      'error',
      '-count_frames',
      '-of',
      'json',
      '-show_entries',
      'stream=codec_name,profile,level,width,height,pix_fmt,r_frame_rate,nb_read_frames:format=duration',
      path,
    ]).toString(),
  ) as { streams: Record<string, string | number>[]; format: { duration: string } }

/** Colour of a pixel of a film's frame, as shares of the size. */
async function pixel(path: string, n: number, x: number, y: number): Promise<number[]> {
  const args = `-v error -i ${path} -vf select=eq(n\\,${n}) -frames:v 1 -f image2pipe -c:v png -`
  const png = execFileSync('ffmpeg', args.split(' '))
  return await colour(png, x, y)
}

async function colour(picture: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
  return [...data.subarray(at, at + 3)]
}

const isRed = ([r = 0, g = 0, b = 0]: number[]) => r > 180 && g < 90 && b < 90
const isWhite = (rgb: number[]) => rgb.every((value) => value > 200)

test('a print that was watched ends, and has both films, poster, figures and pictures to be asked about', async () => {
  const printer = await aPrinter(app, owner)
  await app.ctx.db
    .updateTable('printers')
    .set({
      minTimelapseSecsOnFinish: 60,
      agentSettings: JSON.stringify({
        webcams: [{ is_primary_camera: true, flipH: false, flipV: false, rotation: 90 }],
      }),
    })
    .where('id', '=', printer.id)
    .execute()
  const agent = await connectAgent(app, printer.auth_token)
  await agent.hear((message) => 'remote_status' in message)
  const report = (event?: string) =>
    agent.send({
      current_print_ts: 1_700_000_000,
      ...(event && { event: { event_type: event, data: { name: 'vase.gcode' } } }),
      status: {
        _ts: app.ctx.clock.now() / 1000,
        state: { text: 'Printing', flags: { printing: true } },
        job: { file: { name: 'vase.gcode' } },
        progress: { completion: 20, printTime: 600 },
      },
    })
  report('PrintStarted')
  const printId = await eventually(
    async () => (await get(`/api/v1/printers/${printer.id}/`)).json.current_print?.id as number | undefined,
  )
  expect(await timelapse(printId)).toMatchObject({ state: 'none', frames: 0 })
  for (let place = 0; place < 12; place++) {
    app.advance(130_000)
    report()
    const form = new FormData()
    form.set('pic', new Blob([new Uint8Array(await aPicture(place))]), 'x.jpg')
    const answer = await fetch(`${app.url}/api/v1/octo/pic/`, {
      method: 'POST',
      headers: { authorization: `Token ${printer.auth_token}` },
      body: form,
    })
    expect(answer.status).toBe(200)
    await eventually(async () => {
      const rows = await app.ctx.db
        .selectFrom('decisions')
        .select('id')
        .where('printId', '=', asId(printId))
        .execute()
      return rows.length > place ? true : undefined
    })
  }
  await aChannel(app, owner)
  report('PrintDone')
  const done = await eventually(async () => {
    const now = await timelapse(printId)
    return ['none', 'waiting', 'working'].includes(now.state) ? undefined : now
  })
  agent.ws.terminate()
  expect(done).toMatchObject({ state: 'ready', progress: 1, frames: 12, pictures_per_second: 8, kept: false })
  expect(done.num_bytes).toBeGreaterThan(1000)
  // Whoever is told of the print is told with it: it was waited for, and no longer than it took.
  const told = await eventually(async () => {
    const one = (await owedTo(app, owner)).find(({ kind }) => kind === 'PrintDone')
    return one && one.waitsFor === null ? one : undefined
  })
  expect(told.expiresAt.getTime() - told.createdAt.getTime()).toBe((24 * 60 + 10) * 60_000)

  const print = await printOf(printId)
  expect(print.need_alert_overwrite).toBe(true)
  // What was seen, in small, for the history.
  expect(print.score_curve).toEqual(Array.from({ length: 12 }, () => expect.any(Number)))
  const [plain, tagged] = [await download(print.video_url), await download(print.tagged_video_url)]
  for (const film of [plain, tagged]) {
    const { streams, format } = probe(film)
    expect(streams).toEqual([
      expect.objectContaining({
        codec_name: 'h264',
        width: 240,
        height: 320,
        pix_fmt: 'yuv420p',
        r_frame_rate: '8/1',
        nb_read_frames: '12',
      }),
    ])
    expect(Number(streams[0]?.['level'])).toBeLessThanOrEqual(40)
    expect(Number(format.duration)).toBeCloseTo(1.5, 1)
    const bytes = readFileSync(film)
    expect(bytes.indexOf('moov')).toBeGreaterThan(0)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
  // Turned as the camera hangs: what was at the top left is at the top right.
  expect(isWhite(await pixel(plain, 3, 0.9, 0.1))).toBe(true)
  expect(isWhite(await pixel(plain, 3, 0.1, 0.1))).toBe(false)
  const poster = Buffer.from(await (await fetch(print.poster_url)).arrayBuffer())
  expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 240, height: 320 })
  expect(isWhite(await colour(poster, 0.9, 0.1))).toBe(true)

  const part = await fetch(print.video_url, { headers: { range: 'bytes=0-99' } })
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4'])

  const path = print.prediction_json_url as string
  const predictions = await get(path)
  expect(contract.getPredictionJson.response.parse(predictions.json)).toHaveLength(12)
  expect(predictions.json[4]).toEqual({
    model: 'app.printerprediction',
    pk: printer.id,
    fields: {
      current_frame_num: 5,
      lifetime_frame_num: 5,
      current_p: expect.any(Number),
      ewm_mean: expect.any(Number),
      rolling_mean_long: expect.any(Number),
      rolling_mean_short: expect.any(Number),
      normalized_p: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    },
  })
  const { etag, 'last-modified': modified } = Object.fromEntries(predictions.headers) as Record<
    string,
    string
  >
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-modified-since': modified },
  ]) {
    const again = await get(path, owner, headers)
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  }
  expect((await get(path, owner, { 'if-none-match': '"old"', 'if-modified-since': modified })).status).toBe(
    200,
  )

  const { json: frames } = await get(`/api/v1/prints/${printId}/frames/`)
  expect(contract.printFrames.strict().parse(frames)).toMatchObject({
    pictures_per_second: 8,
    turn: { flip_h: false, flip_v: false, rotation: 90 },
  })
  expect(frames.frames).toHaveLength(12)
  expect(frames.frames.map((frame: { tagged_url: string | null }) => frame.tagged_url !== null)).toEqual(
    Array.from({ length: 12 }, (_, n) => n % 3 === 2),
  )
  expect((await fetch(frames.frames[2].tagged_url)).status).toBe(200)

  const shots = await app.ctx.db
    .selectFrom('printShotFeedbacks')
    .selectAll()
    .where('printId', '=', asId(printId))
    .execute()
  expect(shots.map(({ score }) => score)).toEqual(shots.map(() => expect.any(Number)))
  expect(shots.length).toBeGreaterThanOrEqual(4)
  expect(shots.length).toBeLessThanOrEqual(7)
  const weight = await get('/api/v1/timelapses/storage/')
  expect(contract.timelapseStorage.strict().parse(weight.json)).toMatchObject({ prints: 1 })
  expect(weight.json.frame_bytes).toBeGreaterThan(12 * 1000)

  const stranger = await aUser(app)
  for (const rest of ['prediction_json/', 'timelapse/', 'frames/'])
    expect((await get(`/api/v1/prints/${printId}/${rest}`, stranger)).status).toBe(404)
  expect((await get('/api/v1/timelapses/storage/', stranger)).json).toEqual({
    prints: 0,
    frame_bytes: 0,
    file_bytes: 0,
  })
})

test('pictures that are gone or broken are left out of both films and of the figures', async () => {
  const harms: Record<number, 'gone' | 'torn' | 'cut'> = { 3: 'gone', 7: 'torn', 11: 'cut', 19: 'cut' }
  const { printId } = await aFilmedPrint(app, owner, {
    frames: 20,
    everyMs: 60_000,
    look: (place) => (place < 4 ? null : { p: place / 20, boxes: [{ x: 1, y: 1, w: 9, h: 9, score: 0.9 }] }),
    tagged: (place) => place >= 15,
    harm: (place) => harms[place] ?? null,
  })
  await make(printId)
  expect(await timelapse(printId)).toMatchObject({ state: 'ready', frames: 16 })
  const print = await printOf(printId)
  const [plain, tagged] = [await download(print.video_url), await download(print.tagged_video_url)]
  for (const film of [plain, tagged]) expect(probe(film).streams[0]?.['nb_read_frames']).toBe('16')
  const { json } = await get(print.prediction_json_url)
  expect(
    json.map((one: { fields?: { current_frame_num: number } }) => one.fields?.current_frame_num ?? null),
  ).toEqual(
    // Nobody had looked at the first.
    [null, null, null, 5, 6, 7, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19],
  )
  expect(isRed(await pixel(tagged, 15, 0.1, 0.1))).toBe(true)
  expect(isWhite(await pixel(plain, 15, 0.1, 0.1))).toBe(true)
})

test('of a print in which nothing was found both films are one; of one that nobody watched there is no second', async () => {
  const sound = await aFilmedPrint(app, owner, { frames: 12, everyMs: 60_000, look: () => ({ p: 0 }) })
  await make(sound.printId)
  const print = await printOf(sound.printId)
  expect(new URL(print.tagged_video_url).pathname).toBe(new URL(print.video_url).pathname)
  // Of a picture that shows nothing no score is told, and none of the one before it.
  const dark = await aFilmedPrint(app, owner, {
    frames: 12,
    everyMs: 60_000,
    look: (place) => ({ p: 0.4, ...(place >= 4 && place < 8 && { blind: 'dark' }) }),
    print: { printTime: 720.4, watchedSeconds: 470 },
  })
  const since = app.ctx.clock.now() - 8 * 60_000
  await app.ctx.db
    .insertInto('unwatched')
    .values({
      printId: dark.printId,
      since: new Date(since),
      until: new Date(since + 240_000),
      code: 'picture_dark',
    })
    .execute()
  await make(dark.printId)
  const { json: told } = await get(`/api/v1/prints/${dark.printId}/prediction_json/`)
  expect(told.map((one: { fields?: object }) => one.fields !== undefined)).toEqual(
    Array.from({ length: 12 }, (_, place) => place < 4 || place >= 8),
  )
  const judged = await printOf(dark.printId)
  expect(judged.watched).toEqual({ seconds: 470, of: 720, unseen: ['picture_dark'] })
  const isNumber = expect.any(Number)
  expect(judged.score_curve).toEqual(
    Array.from({ length: 12 }, (_, place) => (place >= 4 && place < 8 ? null : isNumber)),
  )
  const [from, to] = [since, since + 240_000].map((at) => new Date(at).toISOString())
  expect((await timelapse(dark.printId)).unseen).toEqual([{ from, to, code: 'picture_dark' }])
  const unwatched = await aFilmedPrint(app, owner, { frames: 12, everyMs: 60_000 })
  await make(unwatched.printId)
  expect(await printOf(unwatched.printId)).toMatchObject({
    video_url: expect.any(String),
    tagged_video_url: null,
    score_curve: null,
    need_alert_overwrite: false,
  })
  const { status, json } = await get(`/api/v1/prints/${unwatched.printId}/prediction_json/`)
  expect([status, json]).toEqual([200, []])
})

test('a print that is too short for its printer leaves no pictures, and one without any none to begin with', async () => {
  const short = await aFilmedPrint(app, owner, { frames: 10, everyMs: 10_000, look: () => ({ p: 0.2 }) })
  await make(short.printId)
  expect(await timelapse(short.printId)).toMatchObject({ state: 'short', frames_until: null })
  expect((await get(`/api/v1/prints/${short.printId}/frames/`)).json.frames).toEqual([])
  const left = []
  for await (const path of app.ctx.files.list('tsd-pics', `raw/${short.printer?.id}`)) left.push(path)
  expect(left).toEqual([])
  const empty = await aFilmedPrint(app, owner, { frames: 0 })
  await make(empty.printId)
  expect(await timelapse(empty.printId)).toMatchObject({ state: 'empty' })
})

test('without ffmpeg the frames themselves are there, and the films follow when it is', async () => {
  const { printId } = await aFilmedPrint(app, owner, {
    frames: 12,
    everyMs: 60_000,
    look: () => ({ p: 0.3 }),
  })
  const path = process.env['PATH']
  const bare = mkdtempSync(join(folder, 'bin-'))
  symlinkSync('/usr/bin/nice', join(bare, 'nice'))
  process.env['PATH'] = bare
  try {
    await make(printId)
    expect(await timelapse(printId)).toMatchObject({ state: 'no_ffmpeg', frames: 12 })
    expect(await printOf(printId)).toMatchObject({ video_url: null, poster_url: expect.any(String) })
    expect((await get(`/api/v1/prints/${printId}/prediction_json/`)).json).toHaveLength(12)
    expect((await get(`/api/v1/prints/${printId}/frames/`)).json.frames).toHaveLength(12)
    await keepUp(app.ctx)
  } finally {
    process.env['PATH'] = path
  }
  expect(await timelapse(printId)).toMatchObject({ state: 'no_ffmpeg' })
  await keepUp(app.ctx)
  await eventually(async () => ((await timelapse(printId)).state === 'ready' ? true : undefined))
  expect((await printOf(printId)).video_url).not.toBeNull()
})

test('what somebody began who has gone is taken over, and nobody makes it twice at once', async () => {
  const { printId } = await aFilmedPrint(app, owner, { frames: 12, everyMs: 60_000 })
  await app.ctx.db
    .insertInto('timelapses')
    .values({
      printId,
      endedAt: new Date(),
      state: 'working',
      worker: '00000000-0000-4000-8000-000000000000',
      dueAt: new Date(app.ctx.clock.now() + 30_000),
    })
    .execute()
  await make(printId)
  expect((await timelapse(printId)).state).toBe('working')
  app.advance(31_000)
  await Promise.all([make(printId), make(printId)])
  expect(await timelapse(printId)).toMatchObject({ state: 'ready' })
  const { attempts } = await app.ctx.db
    .selectFrom('timelapses')
    .select('attempts')
    .where('printId', '=', printId)
    .executeTakeFirstOrThrow()
  expect(attempts).toBe(1)
})
