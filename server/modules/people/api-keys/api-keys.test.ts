import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const KEYS = '/api/v1/api_keys/'
const make = (body: object, who = owner) => call(app, 'POST', KEYS, { cookie: who.cookie, body })
const list = async (who = owner) => (await call(app, 'GET', KEYS, { cookie: who.cookie })).json
const versionBy = (key: string) => call(app, 'GET', '/api/version', { headers: { 'x-api-key': key } })

describe('an API key', () => {
  it('is shown once, known by its end, and works until it is revoked', async () => {
    const printer = await aPrinter(app, owner, 'Ender')
    const made = await make({ name: '  PrusaSlicer at the desk ', printer_id: printer.id })
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'PrusaSlicer at the desk',
        hint: made.json.key.slice(-4),
        printer: { id: printer.id, name: 'Ender' },
        created_at: expect.any(String),
        last_used_at: null,
        expires_at: null,
        key: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
    const { key, ...row } = made.json
    expect(await list()).toEqual([row])
    expect(await list(stranger)).toEqual([])
    expect((await versionBy(key)).status).toBe(200)
    await expect.poll(async () => (await list())[0].last_used_at).toEqual(expect.any(String))
    expect(JSON.stringify(await app.ctx.db.selectFrom('accessTokens').selectAll().execute())).not.toContain(
      key,
    )

    expect((await call(app, 'DELETE', `${KEYS}${row.id}/`, { cookie: stranger.cookie })).status).toBe(404)
    expect((await call(app, 'DELETE', `${KEYS}${row.id}/`, { cookie: owner.cookie })).status).toBe(204)
    expect((await versionBy(key)).status).toBe(403)
    const said = await app.ctx.db
      .selectFrom('audit')
      .select('action')
      .where('userId', '=', owner.id)
      .orderBy('id')
      .execute()
    expect(said.map(({ action }) => action)).toEqual(['key_token_made', 'key_token_revoked'])
  })

  it('needs a name, a printer of its user if any, and ends when it shall', async () => {
    const theirs = await aPrinter(app, stranger, 'Not mine')
    expect((await make({ name: ' ' })).json).toEqual({ name: ['This field may not be blank.'] })
    expect((await make({ name: 'x', printer_id: theirs.id })).status).toBe(404)
    expect((await make({ name: 'x', days: 0 })).status).toBe(400)
    const { json } = await make({ name: 'Soon over', days: 1 })
    expect((await versionBy(json.key)).status).toBe(200)
    app.advance(2 * 86_400_000)
    expect((await versionBy(json.key)).status).toBe(403)
    expect((await list()).map(({ name }: { name: string }) => name)).not.toContain('Soon over')
  })

  it('is refused when too many are made, used or guessed', async () => {
    app.newWindows()
    const who = await aUser(app)
    const answers = await Promise.all(Array.from({ length: 31 }, (_, i) => make({ name: `${i}` }, who)))
    expect(answers.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1)
    const key = answers.find(({ status }) => status === 201)!.json.key
    const guesses: number[] = []
    for (let i = 0; i < 61; i++) guesses.push((await versionBy(`guess-${i}`)).status)
    expect([new Set(guesses.slice(0, 60)), guesses[60]]).toEqual([new Set([403]), 429])
    // The right key of the same house still works.
    expect((await versionBy(key)).status).toBe(200)
  })
})
