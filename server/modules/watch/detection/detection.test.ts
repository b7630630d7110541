import { anInspection } from '../../../test/inspection.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Heat, Printer } from '@vigil/contract/printers/printers.ts'
import { DetectorUnavailable, type Inspection } from '../../../engines/inference/port.ts'
import {
  aPrinter,
  aUser,
  blindDetector,
  buildTestApp,
  call,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { allLookedAt } from './index.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { asId } from '../../../test/ids.ts'

/** What the scripted detector says of the next pictures; these tests are about what follows, not about seeing. */
let score = 0
let isDown = false
let isBoxless = false
let looks = 0

function inspectionOf(): Inspection {
  looks++
  const boxes = score > 0.5 && !isBoxless ? [{ x: 100, y: 80, w: 60, h: 50, score }] : []
  const values = new Uint8Array(192).fill(Math.round(score * 255), 91, 96)
  return anInspection(looks, score, { boxes, heat: { width: 16, height: 12, values } })
}

const detector = blindDetector({
  submit: () =>
    isDown
      ? Promise.reject(new DetectorUnavailable('no model'))
      : Promise.resolve({ kind: 'inspected', inspection: inspectionOf() }),
  health: () => (isDown ? { state: 'down', error: 'no model', queued: 0 } : { state: 'ready', queued: 0 }),
})

let app: TestApp
let owner: TestUser
let picture: Buffer
let printer: Awaited<ReturnType<typeof aPrinter>>
let agent: WireAgent
let printTs = 1_700_000_000

beforeAll(async () => {
  app = await buildTestApp({ detector })
  owner = await aUser(app)
  picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => app.close())

beforeEach(async () => {
  score = 0
  isDown = false
  isBoxless = false
  printer = await aPrinter(app, owner)
  agent = await connectAgent(app, printer.auth_token)
  await agent.hear((message) => 'remote_status' in message)
})
afterEach(() => agent.ws.terminate())

const report = (text: string, flags: object, printTime = 600) =>
  agent.send({
    current_print_ts: printTs,
    status: {
      _ts: app.ctx.clock.now() / 1000,
      state: { text, flags: { printing: false, paused: false, ...flags } },
      job: { file: { name: 'vase.gcode' } },
      progress: { completion: 20, printTime },
    },
  })

async function startPrint(): Promise<void> {
  printTs += 100
  report('Printing', { printing: true })
  await eventually(async () => ((await shown()).current_print ? true : undefined))
}

/** Posts a picture as the agents do: a part without Content-Type. */
async function post(
  bytes: Uint8Array = picture,
  fields: Record<string, string> = { is_primary_camera: 'True', viewing_boost: 'False' },
  token = printer.auth_token,
) {
  const boundary = 'x'.repeat(32)
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="pic"; filename="pic"\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(parts.join('') + file),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return await fetch(`${app.url}/api/v1/octo/pic/`, {
    method: 'POST',
    headers: {
      authorization: `Token ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body,
  })
}

const shown = async () =>
  (await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })).json as Printer
const decisions = () =>
  app.ctx.db.selectFrom('decisions').selectAll().where('printerId', '=', printer.id).orderBy('id').execute()
const events = async () =>
  (
    await app.ctx.db
      .selectFrom('printerEvents')
      .select('code')
      .where('printerId', '=', printer.id)
      .orderBy('id')
      .execute()
  ).map(({ code }) => code)

/** Ten seconds and a picture, `count` times; each waits until it has been judged. */
async function watch(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    app.advance(10_000)
    report('Printing', { printing: true })
    const before = (await decisions()).length
    expect((await post()).status).toBe(200)
    await eventually(async () => ((await decisions()).length > before ? true : undefined))
    // the clock stands while a pause is on its way
    await allLookedAt()
  }
}

const command = (name: string, query = '') =>
  call(app, 'POST', `/api/v1/printers/${printer.id}/${name}/${query}`, { cookie: owner.cookie })

describe('a failing print', () => {
  test('is paused once, told, and confirmed by the printer', async () => {
    await startPrint()
    await watch(8)
    await eventually(async () => ((await shown()).not_watching_reason === null ? true : undefined))
    expect((await shown()).watch).toMatchObject({ state: 'watching', code: null })
    score = 0.97
    await watch(16)
    const pause = await agent.hear((message) => 'commands' in message)
    expect(pause).toMatchObject({
      commands: [{ cmd: 'pause', initiator: 'system', args: { retract: 6.5, lift_z: 2.5, tools_off: true } }],
    })
    await eventually(async () => ((await shown()).current_print?.paused_at ? true : undefined))
    await watch(12)
    const commands = agent.heard.filter((message) => 'commands' in message)
    expect(commands).toHaveLength(1)
    expect((await events()).filter((code) => code === 'failure_paused')).toHaveLength(1)
    const all = await decisions()
    expect(all.at(-1)).toMatchObject({ model: 'scripted 1', score: 0.97, blind: null })
    expect(all.map(({ decision }) => decision)).toContain('warn')
    expect(all.map(({ decision }) => decision)).toContain('pause')
    const { img_url, raw_url } = await eventually(async () => {
      const { pic } = await shown()
      return pic && pic.img_url !== pic.raw_url ? pic : undefined
    })
    for (const url of [img_url, raw_url])
      expect((await fetch(String(url))).headers.get('content-type')).toBe('image/jpeg')
  })

  test('is not claimed to be paused when its agent is gone: the next picture decides again', async () => {
    await startPrint()
    await watch(8)
    score = 0.97
    app.advance(10_000)
    await watch(4)
    agent.ws.terminate()
    for (let i = 0; i < 16; i++) {
      app.advance(10_000)
      await post()
    }
    const print = (await shown()).current_print
    expect(print?.paused_at).toBeNull()
    agent = await connectAgent(app, printer.auth_token)
    await agent.hear((message) => 'remote_status' in message)
    report('Printing', { printing: true })
    await eventually(async () => ((await shown()).status ? true : undefined))
    await watch(14)
    await agent.hear((message) => 'commands' in message)
    await eventually(async () => ((await shown()).current_print?.paused_at ? true : undefined))
  })

  test('is only told when the owner does not want it paused', async () => {
    await call(app, 'PATCH', `/api/v1/printers/${printer.id}/`, {
      cookie: owner.cookie,
      body: { action_on_failure: 'NONE' },
    })
    await startPrint()
    await watch(8)
    score = 0.97
    await watch(20)
    await eventually(async () => ((await shown()).current_print?.alerted_at ? true : undefined))
    expect((await shown()).current_print?.paused_at).toBeNull()
    expect(agent.heard.some((message) => 'commands' in message)).toBe(false)
    const alerts = async () => (await events()).filter((code) => code === 'failure_alerted').length
    expect(await alerts()).toBe(1)

    // What it was told of has gone when the owner answers, and comes back: it is the same sight.
    score = 0.02
    await watch(12)
    const query = '?alert_overwrite=NOT_FAILED'
    expect((await command('acknowledge_alert', query)).json).toMatchObject({ succeeded: true })
    await watch(10)
    score = 0.97
    await watch(12)
    expect(await alerts()).toBe(1)
  })

  test('that its owner has seen is told once, until it was over for a while or is worse', async () => {
    await call(app, 'PATCH', `/api/v1/printers/${printer.id}/`, {
      cookie: owner.cookie,
      body: { action_on_failure: 'NONE' },
    })
    const alerts = async () => (await events()).filter((code) => code === 'failure_alerted').length
    await startPrint()
    await watch(8)
    score = 0.97
    await watch(20)
    await eventually(async () => ((await alerts()) === 1 ? true : undefined))
    await command('acknowledge_alert')
    await watch(20)
    expect(await alerts()).toBe(1)
    score = 0.02
    await watch(45)
    score = 0.97
    await watch(20)
    expect(await alerts()).toBe(2)
  })

  test('“Not a failure?” resumes, answers the alert, and does not pause again for the same thing', async () => {
    await startPrint()
    await watch(8)
    score = 0.97
    await watch(16)
    await eventually(async () => ((await shown()).current_print?.paused_at ? true : undefined))
    report('Paused', { paused: true })
    expect((await command('resume_print')).json).toMatchObject({
      succeeded: true,
      printer: {
        current_print: { alert_overwrite: 'NOT_FAILED', alert_acknowledged_at: expect.any(String) },
      },
    })
    await watch(10)
    expect(
      agent.heard
        .filter((message) => 'commands' in message)
        .map((message) => (message['commands'] as readonly { cmd: string }[])[0]?.cmd),
    ).toEqual(['pause', 'resume'])
    expect((await events()).filter((code) => code === 'failure_paused')).toHaveLength(1)
  })

  test('muted for this print is not looked at, and says so', async () => {
    await startPrint()
    await watch(1)
    expect((await command('mute_current_print', '?mute_alert=true')).json).toMatchObject({
      succeeded: true,
      printer: { not_watching_code: 'muted', not_watching_reason: 'Alerts are muted for current print' },
    })
    const before = looks
    app.advance(20_000)
    await post()
    expect(looks).toBe(before)
    await command('mute_current_print', '?mute_alert=false')
    await watch(1)
    expect(await events()).toEqual(expect.arrayContaining(['alert_muted', 'alert_unmuted']))
  })
})

describe('the picture of an alert', () => {
  const heat = async (query = '') =>
    (await call(app, 'GET', `/api/v1/printers/${printer.id}/heat/${query}`, { cookie: owner.cookie }))
      .json as Heat | null

  test('stays while pictures go on, until the alert is answered', async () => {
    await startPrint()
    await watch(8)
    expect((await shown()).alert_pic).toBeNull()
    score = 0.97
    await watch(16)
    await eventually(async () => ((await shown()).current_print?.paused_at ? true : undefined))
    report('Paused', { paused: true })
    app.advance(5_000)
    await post(picture, { is_primary_camera: 'True', viewing_boost: 'True' })
    const { pic, alert_pic: alerted } = await shown()
    expect(pic?.img_url).toBe(pic?.raw_url)
    expect(alerted?.img_url).toContain('/tagged/')
    expect(alerted?.raw_url).toContain('/raw/')
    expect(Date.parse(alerted!.taken_at)).toBeLessThan(app.ctx.clock.now())
    for (const url of [alerted!.img_url, alerted!.raw_url])
      expect((await fetch(url)).headers.get('content-type')).toBe('image/jpeg')
    const list = (await call(app, 'GET', '/api/v1/printers/', { cookie: owner.cookie })).json as Printer[]
    expect(list.find(({ id }) => id === printer.id)?.alert_pic).toEqual(alerted)
    const map = await heat('?alert=true')
    expect(map).toMatchObject({ width: 16, height: 12, taken_at: alerted!.taken_at })
    expect(Buffer.from(map!.values, 'base64')[93]).toBe(Math.round(0.97 * 255))

    await command('resume_print')
    expect((await shown()).alert_pic).toBeNull()
    expect(await heat('?alert=true')).toBeNull()
    expect((await shown()).pic).not.toBeNull()
  })

  test('comes with the verdict that it was raised for, and says whether the print will be paused', async () => {
    await startPrint()
    await watch(8)
    expect((await shown()).alert).toBeNull()
    score = 0.97
    const raised = async () => {
      for (;;) {
        await watch(1)
        const now = await shown()
        if (now.alert) return now
      }
    }
    const warned = await raised()
    expect(warned.alert).toMatchObject({ pause: 'when_failing', pause_from: null })
    const { normalized_p: verdict } = warned.alert!
    expect(verdict).toBeGreaterThan(1 / 3)
    const raisedFor = warned.alert_pic
    score = 0
    await watch(2)
    const later = await shown()
    expect(later.normalized_p).not.toBe(verdict)
    expect(later.alert?.normalized_p, 'what it was raised for stays').toBe(verdict)
    expect(later.alert_pic).toEqual(raisedFor)
    score = 0.97
    await watch(16)
    const paused = await eventually(async () => {
      const now = await shown()
      return now.current_print?.paused_at ? now : undefined
    })
    expect(paused.alert).toMatchObject({ pause: 'sent' })
    expect(paused.alert?.normalized_p).toBeGreaterThan(2 / 3)
    expect(paused.alert_pic).not.toEqual(raisedFor)
    await call(app, 'PATCH', `/api/v1/printers/${printer.id}/`, {
      cookie: owner.cookie,
      body: { action_on_failure: 'NONE' },
    })
    expect((await shown()).alert?.pause, 'it is too late to say otherwise').toBe('sent')
    // Resumed though it was a failure: that is what is kept.
    const said = await command('resume_print', '?alert_overwrite=FAILED')
    expect(said.json.printer.current_print).toMatchObject({ alert_overwrite: 'FAILED' })
    expect((await shown()).alert).toBeNull()
  })

  test('boxes have no colour while all looks good, and are red from the warning on', async () => {
    /** How far the line around the box is from grey. */
    const redness = async () => {
      const bytes = Buffer.from(await (await fetch((await shown()).pic!.img_url)).arrayBuffer())
      const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
      const [red, green] = [...data.subarray((100 * 320 + 101) * 3)]
      return red! - green!
    }
    await startPrint()
    score = 0.97
    await watch(1)
    await eventually(async () => ((await shown()).pic?.img_url.includes('/tagged/') ? true : undefined))
    expect((await shown()).normalized_p).toBeLessThan(1 / 3)
    expect(Math.abs(await redness())).toBeLessThan(40)
    score = 0
    await watch(8)
    score = 0.97
    await watch(16)
    expect((await shown()).current_print?.alerted_at).not.toBeNull()
    expect(await redness()).toBeGreaterThan(90)
  })

  test('is there without boxes too: a faint failure has none to draw', async () => {
    isBoxless = true
    await startPrint()
    await watch(8)
    score = 0.97
    await watch(16)
    const { alert_pic: alerted } = await eventually(async () => {
      const now = await shown()
      return now.current_print?.paused_at ? now : undefined
    })
    expect(alerted?.img_url).toContain('/raw/')
    expect(alerted?.img_url).toBe(alerted?.raw_url)
    expect(await heat('?alert=true')).toMatchObject({ width: 16 })
  })

  test('the map of the last look is told; nothing before the first, nothing without a print', async () => {
    expect(await heat()).toBeNull()
    await startPrint()
    expect(await heat()).toBeNull()
    score = 0.4
    await watch(1)
    expect(Buffer.from((await heat())!.values, 'base64')[93]).toBe(102)
  })
})

describe('watching is never claimed when it is not so', () => {
  test('the share that was watched is counted in the print’s own time', async () => {
    await startPrint()
    /** Looks at a printer that runs twenty times as fast as our clock. */
    const fast = async (from: number, count: number) => {
      for (let i = 1; i <= count; i++) {
        app.advance(10_000)
        report('Printing', { printing: true }, from + i * 200)
        await eventually(async () =>
          ((await shown()).status?.['progress'] as { printTime: number }).printTime === from + i * 200
            ? true
            : undefined,
        )
        const before = (await decisions()).length
        await post()
        await eventually(async () => ((await decisions()).length > before ? true : undefined))
      }
    }
    await fast(0, 1)
    expect((await shown()).watch.watched_percent).toBeNull()
    await fast(200, 8)
    const began = performance.now()
    await fast(1800, 1)
    // All but what came before the first look.
    await eventually(async () => ((await shown()).watch.watched_percent === 90 ? true : undefined))
    report('Printing', { printing: true }, 4000)
    app.advance(31_000)
    await eventually(async () => ((await shown()).watch.watched_percent === 45 ? true : undefined))
    // What lies between the last look and the end counts by as much of it as a gap may last.
    app.advance(29_000)
    agent.send({
      current_print_ts: -1,
      event: { event_type: 'PrintDone' },
      status: { _ts: app.ctx.clock.now() / 1000, state: { text: 'Operational', flags: { ready: true } } },
    })
    const over = await eventually(async () => {
      const { json } = await call(app, 'GET', '/api/v1/prints/?limit=1', { cookie: owner.cookie })
      return json[0].ended_at === null ? undefined : json[0]
    })
    expect(over.watched.of).toBe(4000)
    // 1800 until the last look, and 30 s of the minute since, which is longer by what this machine took for it
    const minute = 60 + (performance.now() - began) / 1000
    expect(over.watched.seconds).toBeGreaterThan(1800 + (2000 * 30) / minute - 50)
    expect(over.watched.seconds).toBeLessThan(2850)
    // Beside it stands, or not, that nobody watched the last minute: a round may have come in between.
    await eventually(async () => {
      const { json } = await call(app, 'GET', '/api/v1/printer_events/?limit=2', { cookie: owner.cookie })
      const titles = json.map((event: { event_title: string }) => event.event_title)
      return titles.includes('Print job finished') ? true : undefined
    })
  })

  test('a picture that grows old, a detector that is down, a printer that is idle', async () => {
    expect((await shown()).watch.code).toBe('not_printing')
    await startPrint()
    expect((await shown()).watch.code).toBe('no_picture')
    await watch(1)
    await eventually(async () => ((await shown()).watch.state === 'watching' ? true : undefined))
    app.advance(30_000)
    expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'picture_stale' })
    expect((await shown()).not_watching_reason).not.toBeNull()
    isDown = true
    await post()
    expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'detector_down' })
    isDown = false
    await watch(1)
    await eventually(async () => ((await shown()).watch.state === 'watching' ? true : undefined))
    // heard last before it falls silent, not on its way still
    report('Printing', { printing: true }, 1234)
    const heard = async () => ((await shown()).status?.['progress'] as { printTime: number }).printTime
    await eventually(async () => ((await heard()) === 1234 ? true : undefined))
    app.advance(70_000)
    await post()
    expect((await shown()).watch.code).toBe('agent_lost')
  })

  test('the same picture again and again is a frozen camera, and no failure', async () => {
    const still = inspectionOf()
    await startPrint()
    const frozen = {
      ...detector,
      submit: () => Promise.resolve({ kind: 'inspected' as const, inspection: still }),
    }
    Object.assign(detector, { submit: frozen.submit })
    try {
      await watch(5)
      expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'picture_frozen' })
      expect((await decisions()).at(-1)).toMatchObject({ blind: 'same_picture', decision: 'none' })
    } finally {
      Object.assign(detector, {
        submit: () =>
          isDown
            ? Promise.reject(new DetectorUnavailable('no model'))
            : Promise.resolve({ kind: 'inspected', inspection: inspectionOf() }),
      })
    }
  })
})

describe('pictures', () => {
  test('of an idle printer, and boosts, only replace the latest; frames belong to the print', async () => {
    expect((await post()).status).toBe(200)
    await startPrint()
    expect((await post(picture, { viewing_boost: 'True' })).status).toBe(200)
    const frames = () =>
      app.ctx.db.selectFrom('frames').selectAll().where('printerId', '=', printer.id).execute()
    expect(await frames()).toHaveLength(0)
    app.advance(10_000)
    await post()
    expect(await frames()).toMatchObject([{ width: 320, height: 240, picture: { container: 'tsd-pics' } }])
  })

  test('that come all at once are each stored, with a row and a file of its own', async () => {
    await startPrint()
    const others = await Promise.all([1, 2, 3, 4].map(() => aPrinter(app, owner)))
    const started = Date.now()
    const answers = await Promise.all([
      post(),
      ...others.map(({ auth_token: token }) => post(picture, { is_primary_camera: 'True' }, token)),
      post(),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const { current_print: print } = await shown()
    const frames = await app.ctx.db
      .selectFrom('frames')
      .selectAll()
      .where('printId', '=', asId(print!.id))
      .execute()
    expect(frames.length).toBe(2)
    expect(
      frames.every(({ printerId, createdAt }) => printerId === printer.id && +createdAt >= started - 1),
    ).toBe(true)
    const { pictures } = await app.ctx.db
      .selectFrom('prints')
      .select('pictures')
      .where('id', '=', asId(print!.id))
      .executeTakeFirstOrThrow()
    expect(pictures).toBe(2)
  })

  test('another camera than the first is taken and dropped', async () => {
    expect((await post(picture, { is_primary_camera: 'False' })).status).toBe(200)
    expect((await shown()).pic).toBeNull()
  })

  test('loses its metadata and trailing bytes', async () => {
    const dirty = await sharp(picture)
      .withExif({ IFD0: { Artist: 'my home address' } })
      .jpeg()
      .toBuffer()
    expect(dirty.includes('my home address')).toBe(true)
    await post(Buffer.concat([dirty, Buffer.from('<script>')]))
    const stored = Buffer.from(await (await fetch(String((await shown()).pic?.raw_url))).arrayBuffer())
    expect(stored.includes('my home address')).toBe(false)
    expect(stored.includes('<script>')).toBe(false)
    expect((await sharp(stored).metadata()).width).toBe(320)
  })

  test('a PNG becomes a JPEG, a large picture becomes smaller', async () => {
    const png = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#123' } })
      .png()
      .toBuffer()
    expect((await post(png)).status).toBe(200)
    const stored = Buffer.from(await (await fetch(String((await shown()).pic?.raw_url))).arrayBuffer())
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 1280, height: 640 })
  })

  /** A photograph as cameras send it: much detail, so that a cut costs rows. */
  const photo = () =>
    sharp(Buffer.from(Array.from({ length: 320 * 240 * 3 }, (_, i) => (i * 7919 + (i >> 5) * 31) % 251)), {
      raw: { width: 320, height: 240, channels: 3 },
    })
      .jpeg()
      .toBuffer()

  test('a JPEG that lacks only its end marker is taken, with its end', async () => {
    const whole = await photo()
    expect((await post(whole.subarray(0, -2))).status).toBe(200)
    const stored = Buffer.from(await (await fetch(String((await shown()).pic?.raw_url))).arrayBuffer())
    expect(stored.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
    const means = await Promise.all(
      [whole, stored].map(async (one) => (await sharp(one).stats()).channels[0]!.mean),
    )
    expect(Math.abs(means[0]! - means[1]!)).toBeLessThan(2)
  })

  test('a JPEG that is cut off is refused with the reason, and never counts as a look', async () => {
    await startPrint()
    await watch(1)
    await eventually(async () => ((await shown()).watch.state === 'watching' ? true : undefined))
    const before = looks
    const cut = (await photo()).subarray(0, 9_000)
    for (let i = 0; i < 3; i++) {
      app.advance(10_000)
      const answer = await post(cut)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual(['The picture is cut off or damaged: a part of it is missing.'])
    }
    expect(looks).toBe(before)
    expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'picture_damaged' })
    expect((await shown()).pic, 'the one before stays').not.toBeNull()
    await watch(1)
    await eventually(async () => ((await shown()).watch.state === 'watching' ? true : undefined))
  })

  test.each([
    ['nothing', Buffer.alloc(0), 400],
    ['text', Buffer.from('not a picture'), 400],
    ['half a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 400],
    ['eleven megabytes', Buffer.alloc(11 * 1024 * 1024, 0xff), 413],
  ])('%s is refused', async (_name, bytes, status) => {
    const answer = await post(bytes)
    expect(answer.status).toBe(status)
    if (status === 400) expect(await answer.json()).toEqual([expect.any(String)])
    expect((await shown()).pic).toBeNull()
  })

  test('a picture that lies about its size is refused before it is decoded', async () => {
    const lie = Buffer.from(picture)
    const sof = lie.indexOf(Buffer.from([0xff, 0xc0]))
    lie.writeUInt16BE(65_000, sof + 5)
    lie.writeUInt16BE(65_000, sof + 7)
    expect((await post(lie)).status).toBe(400)
  })

  test('without the file it is a 400, without a token a 401', async () => {
    const none = await call(app, 'POST', '/api/v1/octo/pic/', { agent: printer.auth_token, body: {} })
    expect(none.status).toBe(400)
    expect((await call(app, 'POST', '/api/v1/octo/pic/', { agent: 'f'.repeat(20), body: {} })).status).toBe(
      401,
    )
  })
})
