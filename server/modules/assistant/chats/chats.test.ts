import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'
import { aModel, isSlicerThere, machineNamed, placedAt, slice } from '../../../test/slicer.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { createAccessToken } from '../../people/accounts/index.ts'
import { onePlate, slicer } from '../advisor/slicer.fixture.ts'

let app: TestApp
let mailbox: TestSmtp
let owner: TestUser
const API = '/jusprin/api/'
const SUPPORT = 'help@example.org'
beforeAll(async () => {
  mailbox = await openTestSmtp()
  app = await buildTestApp({
    env: { ...mailbox.env, SUPPORT_EMAIL: SUPPORT, PUBLIC_URL: 'https://vigil.example.org' },
  })
  owner = await aUser(app)
})
afterAll(async () => {
  await app?.close()
  await mailbox?.close()
})

const asked = (content: string, more: object = {}) => ({
  messages: [{ role: 'user', content }],
  slicing_profiles: slicer(),
  plates: onePlate({ overhang: 12, area_total: 900 }),
  ...more,
})
const ask = (body: object, path = 'chats/messages/', who: object = { token: owner.token }) =>
  call(app, 'POST', API + path, { ...who, body })

describe('a message', () => {
  it('is answered by the rules, whole: each change with old, new, reason and source, at no cost', async () => {
    const { status, json } = await ask(asked('Make it strong'))
    expect(status).toBe(200)
    expect(json.message).toMatchObject({
      role: 'assistant',
      mind: 'advisor',
      slicing_profiles: {
        use_print_process_preset: '0.20mm Standard',
        filament_overrides: {},
        print_process_overrides: { wall_loops: '4' },
      },
      before: { print_process_overrides: {} },
    })
    expect(json.message.changes[0]).toEqual({
      of: 'print',
      parameter: 'wall_loops',
      label: 'walls',
      before: '2',
      after: '4',
      reason: 'Walls carry most of the load.',
      source: 'CNC Kitchen, tests of strength',
      limited: null,
    })
    const { json: me } = await call(app, 'GET', `${API}me/`, { token: owner.token })
    expect(me).toMatchObject({
      user: { id: owner.id, email: owner.email },
      ai_credits: { ai_credit_free_monthly_quota: -1, ai_credit_used_current_month: 0 },
      assistant: { mind: 'advisor', vision: false },
      support: { by: 'form', email: SUPPORT },
    })
  })

  it('is answered in its own language, else in that of `lang`', async () => {
    expect((await ask(asked('打印得结实一点'))).json.message.changes[0].label).toBe('墙层数')
    expect((await ask(asked('?'), 'chats/messages/?lang=zh')).json.message.content).toContain('您想怎么做')
  })

  it('may carry every preset with all its settings: 20 MB, and no more', async () => {
    const config = Object.fromEntries(
      Array.from({ length: 250 }, (_, i) => [`some_setting_${i}`, 'x'.repeat(200)]),
    )
    const many = Array.from({ length: 60 }, (_, i) => ({
      name: `preset ${i}`,
      config: { ...config, layer_height: '0.2' },
    }))
    const profiles = { ...slicer(), print_process_presets: [...slicer().print_process_presets, ...many] }
    const large = await ask(asked('3 walls', { slicing_profiles: profiles }))
    expect(large).toMatchObject({ status: 200, json: { message: { changes: [{ after: '3' }] } } })
    expect(
      (await ask({ messages: [{ role: 'user', content: 'x' }], padding: 'x'.repeat(21 * 1_048_576) })).status,
    ).toBe(413)
  })

  it('what can’t be is refused beside its field', async () => {
    expect((await ask({ messages: [] })).json).toHaveProperty('messages')
    expect((await ask(asked('a', { picture: { image: 'data:text/html;base64,PGI+' } }))).json).toHaveProperty(
      'picture',
    )
  })
})

describe('a plate', () => {
  it('is judged by its measures, and that no picture was examined is said', async () => {
    const image = `data:image/jpeg;base64,${Buffer.from('picture').toString('base64')}`
    const { status, json } = await ask(
      { images: [image], plates: onePlate({ overhang: 12, area_total: 900 }) },
      'plate_analysis/',
    )
    expect(status).toBe(201)
    expect(json.message).toMatchObject({
      content: expect.stringContaining('supports'),
      suggested_printing_method: 'with supports',
      notes: [expect.stringContaining('No picture was examined')],
    })
    expect((await call(app, 'GET', `${API}plate_analysis/`, { token: owner.token })).status).toBe(405)
  })
})

describe('a chat', () => {
  it('is kept, changed, found by the file that came of it, and goes', async () => {
    const made = await ask({ messages: '[]', machine_name: 'Desk One' }, 'chats/')
    expect(made).toMatchObject({
      status: 201,
      json: { messages: '[]', machine_name: 'Desk One', g_code_file_id: null, user_feedback: null },
    })
    const path = `${API}chats/${made.json.id}/`
    const put = await call(app, 'PUT', path, {
      token: owner.token,
      body: { messages: '[{"role":"user","content":"a"}]', print_process_name: '0.20mm Standard' },
    })
    expect(put.json).toMatchObject({ machine_name: 'Desk One', print_process_name: '0.20mm Standard' })
    const { id: fileId } = await app.ctx.db
      .insertInto('gCodeFiles')
      .values(asId({ userId: owner.id, filename: 'a.gcode', safeFilename: 'a.gcode' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await call(app, 'PATCH', path, { token: owner.token, body: { g_code_file_id: fileId } })
    const found = await call(app, 'GET', `${API}chats/?g_code_file_id=${fileId}`, { cookie: owner.cookie })
    expect(found.json).toMatchObject([{ id: made.json.id, g_code_file_id: fileId }])
    expect(
      (await call(app, 'GET', `${API}chats/?g_code_file_id=${fileId + 1}`, { cookie: owner.cookie })).json,
    ).toEqual([])
    expect((await call(app, 'DELETE', path, { token: owner.token })).status).toBe(204)
    expect((await call(app, 'GET', path, { token: owner.token })).status).toBe(404)
  })

  it.skipIf(!isSlicerThere)('is linked to the file that was sliced of it, and to nobody else’s', async () => {
    const machine = await machineNamed(app, owner, 'Ender-3 V2 (0.4')
    const [mine, others] = [owner, await aUser(app)]
    const ours = await ask({ messages: '[]' }, 'chats/')
    const theirs = await ask({ messages: '[]' }, 'chats/', { token: others.token })
    const mesh = placedAt(await aModel(app, mine, 10))
    const { body } = await slice(app, mine, machine, { meshes: [mesh], chat: ours.json.id })
    await slice(app, mine, machine, { meshes: [mesh], chat: theirs.json.id })
    const chatsOf = async (who: TestUser) =>
      (await call(app, 'GET', `${API}chats/`, { cookie: who.cookie })).json
    await expect
      .poll(
        async () =>
          (
            await call(app, 'GET', `${API}chats/?g_code_file_id=${body.gcode_file_id}`, {
              cookie: mine.cookie,
            })
          ).json,
      )
      .toMatchObject([{ id: ours.json.id }])
    expect(await chatsOf(others)).toMatchObject([{ g_code_file_id: null }])
  })

  it('has feedback of at most 1000 characters; another’s file is none', async () => {
    const { json } = await ask({ messages: '[]' }, 'chats/')
    const path = `${API}chats/${json.id}/`
    const patch = (body: object) => call(app, 'PATCH', path, { cookie: owner.cookie, body })
    expect(
      (await patch({ user_feedback: 'negative', user_feedback_text: 'x'.repeat(1000) })).json,
    ).toMatchObject({ user_feedback: 'negative', messages: '[]' })
    expect((await patch({ user_feedback_text: 'x'.repeat(1001) })).json).toHaveProperty('user_feedback_text')
    expect((await patch({ user_feedback: 'so-so' })).status).toBe(400)
    const other = await aUser(app)
    const { id } = await app.ctx.db
      .insertInto('gCodeFiles')
      .values(asId({ userId: other.id, filename: 'b.gcode', safeFilename: 'b.gcode' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await patch({ g_code_file_id: id })).json).toHaveProperty('g_code_file_id')
  })
})

/** A print of an hour ago with one picture, what the detector made of it, and a heater that lagged. */
async function aMoment() {
  const { id: printerId } = await aPrinter(app, owner)
  const at = new Date(Date.now() - 3_600_000)
  const t = Math.floor(at.getTime() / 1000)
  const { id: printId } = await app.ctx.db
    .insertInto('prints')
    .values(
      asId({
        userId: owner.id,
        printerId,
        filename: 'cube.gcode',
        startedAt: new Date(at.getTime() - 60_000),
        finishedAt: new Date(),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const picture = JSON.stringify({ container: 'tsd-pics', path: `raw/${printerId}/${printId}/1.jpg` })
  const { id: frameId } = await app.ctx.db
    .insertInto('frames')
    .values(
      asId({
        printerId,
        printId,
        createdAt: at,
        picture,
        tagged: null,
        numBytes: 7,
        width: 100,
        height: 100,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.ctx.db
    .insertInto('decisions')
    .values(
      asId({
        printerId,
        printId,
        frameId,
        createdAt: at,
        model: 'm',
        score: 0.9,
        boxes: JSON.stringify([{ x: 10, y: 20, w: 20, h: 40, score: 0.8 }]),
        state: '{}',
        decision: 'pause',
      }),
    )
    .execute()
  await app.ctx.db
    .insertInto('printTemperatures')
    .values(asId({ printId, at, lines: `[${t},"tool0",180.5,210]` }))
    .execute()
  return { printId, at }
}

describe('a moment of a stored print', () => {
  it('comes with its boxes and the temperatures of that minute', async () => {
    const { printId, at } = await aMoment()
    const listed = await call(app, 'GET', `${API}prints/${printId}/moments/`, { cookie: owner.cookie })
    expect(listed.json.moments).toEqual([
      { at: at.toISOString(), image_url: expect.stringContaining('digest='), score: 0.9 },
    ])
    const { json } = await ask(asked('', { picture: { print_id: printId, at: at.toISOString() } }))
    expect(json.message.looked_at).toMatchObject({
      filename: 'cube.gcode',
      boxes: [{ x: 0.2, y: 0.4, width: 0.2, height: 0.4, confidence: 0.8 }],
      temperatures: [{ heater: 'tool0', actual: 180.5, target: 210 }],
    })
    expect(json.message.content).toContain('marked 1 place')
    expect(json.message.content).toMatch(/tool0 was at 181\u00a0°C of 210\u00a0°C/)
    const other = await aUser(app)
    const foreign = await ask(
      asked('', { picture: { print_id: printId, at: at.toISOString() } }),
      'chats/messages/',
      { token: other.token },
    )
    expect(foreign.status).toBe(404)
  })
})

describe('a slicer’s token', () => {
  it.each([
    ['for bringing files', { application: 'OrcaSlicer' }, 403],
    ['that is a key which somebody calls so', { application: 'JusPrin', kind: 'key' as const }, 403],
    ['of our own slicer', { application: 'JusPrin' }, 200],
  ])('%s reads chats, prints and who it is, or nothing', async (_, of, status) => {
    const token = await createAccessToken(app.ctx, { userId: owner.id, scope: 'slicer', ...of })
    const { printId } = await aMoment()
    const asking = { messages: [{ role: 'user', content: 'Make it strong' }] }
    const answers = await Promise.all([
      ...['chats/', 'me/', 'prints/', `prints/${printId}/moments/`].map((path) =>
        call(app, 'GET', API + path, { token }),
      ),
      ask(asking, 'chats/messages/', { token }),
      ask({}, 'plate_analysis/', { token }),
      ask({ messages: '[]' }, 'chats/', { token }),
    ])
    const refused = Array.from(answers, () => 403)
    expect(answers.map((answer) => answer.status)).toEqual(
      status === 403 ? refused : [200, 200, 200, 200, 200, 201, 201],
    )
  })
})

describe('support', () => {
  const write = (body: object, who: object = {}) =>
    call(app, 'POST', `${API}contact_support/`, { ...who, body })
  it('is written to with and without a credential, and the letter says whom to answer', async () => {
    expect(await write({ message: 'My chat is stuck', chat_id: 3 }, { token: owner.token })).toMatchObject({
      status: 200,
      json: { message: expect.stringContaining('has been sent') },
    })
    const letter = await mailbox.letterTo(SUPPORT, new RegExp(owner.email))
    expect(letter.text).toContain('My chat is stuck')
    expect(letter.replyTo?.[0]?.address).toBe(owner.email)
    await write({ message: 'I can’t sign in', email: 'ada@example.org' })
    expect((await mailbox.letterTo(SUPPORT, /ada@example/)).text).toContain('I can’t sign in')
  })
  it('blank is refused, and so is a sixth within the hour from one address', async () => {
    expect(await write({ message: '  ' })).toMatchObject({
      status: 400,
      json: { error: 'Please enter a message before submitting.' },
    })
    app.newWindows()
    const from = { headers: { 'x-forwarded-for': '198.51.100.7' } }
    for (let i = 0; i < 5; i++) expect((await write({ message: 'Hello' }, from)).status).toBe(200)
    expect((await write({ message: 'Hello' }, from)).status).toBe(429)
    expect(
      (await write({ message: 'Hello' }, { headers: { 'x-forwarded-for': '198.51.100.8' } })).status,
    ).toBe(200)
  })
  it('nobody is there without SUPPORT_EMAIL, and that is said', async () => {
    const bare = await aNode(app.databaseUrl, { VIGIL_SECRET: app.ctx.config.VIGIL_SECRET ?? '' })
    try {
      expect(await call(bare, 'POST', `${API}contact_support/`, { body: { message: 'Help' } })).toMatchObject(
        { status: 503, json: { error: expect.stringContaining('try again later') } },
      )
    } finally {
      await bare.close()
    }
  })
})
