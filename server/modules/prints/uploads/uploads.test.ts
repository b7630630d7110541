import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print as printSchema } from '@vigil/contract/prints/prints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../../../scripts/suites.ts'
import type { Inspection } from '../../../engines/inference/port.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { aUser, blindDetector, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { kindOfFilm, stillsOf } from './uploads.rules.ts'

/** How long films are; each second has 25 pictures. */
const SECONDS = inSuite(2, 4)
const KINDS = '*.mp4 or *.mpg files only. Up to 100MB each.'
let looks = 0
const detector = blindDetector({
  detect: () => {
    looks++
    const inspection: Inspection = {
      score: 0.9,
      boxes: [{ x: 10, y: 10, w: 30, h: 30, score: 0.9 }],
      heat: {
        width: 16,
        height: 12,
        values: Uint8Array.from({ length: 192 }, (_, i) => (i > 60 && i < 120 && looks > 20 ? 240 : 0)),
      },
      model: 'scripted 1',
      modelKey: 'scripted',
      width: 320,
      height: 240,
      quality: {
        condition: null,
        hash: String(looks),
        thumbnail: Uint8Array.from({ length: 64 * 48 }, (_, i) => (i * 37 + looks * 91) % 200),
      },
    }
    return Promise.resolve(inspection)
  },
})

let app: TestApp
let owner: TestUser
const folder = mkdtempSync(join(tmpdir(), 'vigil-uploads-'))

beforeAll(async () => {
  app = await buildTestApp({ detector, env: { IS_ENT: 'true' } })
  owner = await aUser(app)
  await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A film made by ffmpeg itself, of its test picture. */
function film(name: string, what: string, more = ''): Buffer {
  const path = join(folder, name)
  execFileSync('ffmpeg', `-v error -f lavfi -i ${what} ${more} -y ${path}`.split(/\s+/))
  return readFileSync(path)
}

async function send(
  bytes: Uint8Array,
  name: string,
  {
    who = owner,
    seconds,
    path = '/ent/timelapse_upload/',
  }: { who?: TestUser; seconds?: number; path?: string } = {},
) {
  const form = new FormData()
  if (seconds !== undefined) form.set('print_seconds', String(seconds))
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { cookie: who.cookie, origin: app.url },
    body: form,
  })
  return { status: answer.status, headers: answer.headers, json: JSON.parse(await answer.text()) }
}

const get = async (path: string) => (await call(app, 'GET', path, { cookie: owner.cookie })).json
const settled = (printId: number) =>
  eventually(async () => {
    const now = await get(`/api/v1/prints/${printId}/timelapse/`)
    return ['waiting', 'working'].includes(now.state) ? undefined : now
  })
const leftOf = async () => {
  const found = []
  for await (const path of app.ctx.files.list('tsd-timelapses', 'uploads')) found.push(path)
  return found
}

test('a film is analysed in the time of its print, and stands among the uploads with both of its films', async () => {
  const bytes = film('mine.mp4', `testsrc=size=320x240:rate=25:duration=${SECONDS}`, '-pix_fmt yuv420p')
  const { status, json } = await send(bytes, 'C:\\films\\mine.mp4', { seconds: 250 * SECONDS })
  expect(status).toBe(201)
  expect(printSchema.strict().parse(json)).toMatchObject({
    printer: null,
    filename: 'mine.mp4',
    uploaded_at: expect.any(String),
    ended_at: null,
    video_url: null,
  })
  // A picture each ten seconds of the print: all that the film has.
  const done = await settled(json.id)
  expect(done).toMatchObject({ state: 'ready', refusal: null })
  expect(done.frames).toBeGreaterThanOrEqual(25 * SECONDS - 2)
  expect(done.frames).toBeLessThanOrEqual(25 * SECONDS + 1)
  expect(done.issues).toBeGreaterThanOrEqual(1)
  const [listed] = await get('/api/v1/prints/?uploaded=true')
  expect(listed).toMatchObject({
    id: json.id,
    video_url: expect.any(String),
    tagged_video_url: expect.any(String),
    poster_url: expect.any(String),
    alerted_at: expect.any(String),
    need_alert_overwrite: true,
  })
  const { frames } = await get(`/api/v1/prints/${json.id}/frames/`)
  const times = frames.map(({ at }: { at: string }) => Date.parse(at))
  expect(times[1] - times[0]).toBe(10_000)
  const predictions = await get(`/api/v1/prints/${json.id}/prediction_json/`)
  expect(predictions).toHaveLength(done.frames)
  expect(predictions[0]).toMatchObject({ pk: 0, fields: { current_frame_num: 1 } })
  expect(await leftOf()).toEqual([])
})

test('an MPEG of a print of unknown length is looked at in 300 places, or as many as it has; parts can be resumed', async () => {
  const bytes = film('old.mpg', 'testsrc=size=160x120:rate=25:duration=2', '-c:v mpeg2video')
  const headers = { cookie: owner.cookie, origin: app.url, 'tus-resumable': '1.0.0' }
  const begun = await fetch(`${app.url}/ent/api/timelapse_upload/resumable/`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('old.mpg').toString('base64')}`,
    },
  })
  expect(begun.status).toBe(201)
  const at = begun.headers.get('location')!
  const part = (from: number, to: number) =>
    fetch(at, {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(bytes.subarray(from, to)),
    })
  expect((await part(0, 5_000)).status).toBe(204)
  const last = await part(5_000, bytes.length)
  expect(last.status).toBe(200)
  const { id } = (await last.json()) as { id: number }
  expect(await settled(id)).toMatchObject({ state: 'ready', refusal: null })
  const { frames } = await get(`/api/v1/prints/${id}/frames/`)
  expect(frames.length).toBeGreaterThanOrEqual(48)
  expect(frames.length).toBeLessThanOrEqual(51)
})

test('what is no film by name or by its first bytes is refused at once, and nothing of it stays', async () => {
  const before = await get('/api/v1/prints/?uploaded=true')
  const text = Buffer.from('no film at all '.repeat(500))
  for (const [bytes, name] of [
    [text, 'text.mp4'],
    [text, 'text.mpg'],
    [Buffer.from('\0\0\0\x18ftypmp42'), 'film.exe'],
    [
      Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
      'list.mp4',
    ],
    [Buffer.alloc(0), 'empty.mp4'],
  ] as const)
    expect([name, await send(bytes, name)]).toMatchObject([name, { status: 415, json: { detail: KINDS } }])
  expect(await get('/api/v1/prints/?uploaded=true')).toEqual(before)
  expect(await leftOf()).toEqual([])
})

test('films that only look like films are refused with a word, within bounds, and lead nowhere', async () => {
  const sound = film('sound.mp4', `testsrc=size=320x240:rate=25:duration=${SECONDS}`, '-pix_fmt yuv420p')
  const head = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
  const playlist =
    '\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXTINF:1,\nhttp://127.0.0.1:9/\n#EXT-X-ENDLIST\n'
  const wide = Buffer.from(sound)
  // The track's and the picture's size, as the head has them, made 65,535 square.
  for (let i = wide.indexOf('avc1'); i > 0; i = wide.indexOf('avc1', i + 1)) {
    wide.writeUInt16BE(65_535, i + 28)
    wide.writeUInt16BE(65_535, i + 30)
  }
  // 20,000 pictures: looked at in 300 places.
  const many = () =>
    film('many.mp4', 'color=size=64x64:rate=1000:duration=20', '-preset ultrafast -pix_fmt yuv420p -g 1000')
  const hostile: [string, Buffer, string | null][] = [
    ['cut.mp4', sound.subarray(0, sound.length >> 1), 'unreadable'],
    ['head.mp4', head, 'unreadable'],
    ['list.mp4', Buffer.concat([head, Buffer.from(playlist)]), 'unreadable'],
    ['audio.mp4', film('audio.mp4', 'sine=duration=2'), 'unreadable'],
    ['noise.mpg', Buffer.concat([Buffer.from([0, 0, 1, 0xba]), Buffer.alloc(50_000, 0x5a)]), 'unreadable'],
    // What its head says of its size is not what its pictures are.
    ['wide.mp4', wide, null],
    [
      'huge.mp4',
      film('huge.mp4', 'color=size=6400x6400:rate=1:duration=1', '-preset ultrafast -pix_fmt yuv420p'),
      'too_large',
    ],
    // the rule alone says so in the gate, below
    ...inSuite<() => [string, Buffer, null][]>(
      () => [],
      () => [['many.mp4', many(), null]],
    )(),
  ]
  for (const [name, bytes, refusal] of hostile) {
    const { status, json } = await send(bytes, name)
    expect([name, status]).toEqual([name, 201])
    const done = await settled(json.id)
    expect([name, done.state, done.refusal]).toEqual([name, refusal === null ? 'ready' : 'failed', refusal])
    if (refusal === null) expect(done.frames).toBeLessThanOrEqual(302)
  }
  expect(await leftOf()).toEqual([])
})

test('too large is 413; the free plan has three in a day', async () => {
  const large = await send(
    Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(104_857_600)]),
    'large.mp4',
  )
  expect(large.status).toBe(413)
  const free = await aUser(app)
  await setPlan(app.ctx, { email: free.email, plan: 'free' })
  const bytes = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => send(bytes, `${n}.mp4`, { who: free })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429])
  const refused = await send(bytes, 'x.mp4', { who: free })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  const moved = await call(app, 'GET', '/prints/upload/')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/ent/timelapse_upload/'])
})

test('pictures are taken each ten seconds of the print; never more than the film has, nor 3,000', () => {
  expect(stillsOf(60, 30, 3_600)).toEqual({ everySeconds: 1 / 6, stepSeconds: 10, most: 361 })
  expect(stillsOf(60, 30, null)).toEqual({ everySeconds: 0.2, stepSeconds: 10, most: 301 })
  expect(stillsOf(2, 25, null)).toMatchObject({ everySeconds: 0.04, most: 51 })
  expect(stillsOf(60, 30, 360_000)).toMatchObject({ stepSeconds: 200 })
  expect(stillsOf(600, 30, 86_400 * 5)).toMatchObject({ stepSeconds: 144, most: 3_001 })
  expect(kindOfFilm('a.MPG', Buffer.from([0, 0, 1, 0xba]))).toBe('mpg')
  expect(kindOfFilm('a.mp4.exe', Buffer.from('\0\0\0\x18ftypmp42'))).toBeNull()
})
