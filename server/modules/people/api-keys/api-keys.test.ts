import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../../lib/signing.ts'
import { asId } from '../../../test/ids.ts'
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
        scope: 'slicer',
        printer: { id: printer.id, name: 'Ender' },
        printers: null,
        created_at: expect.any(String),
        last_used_at: null,
        last_address: null,
        expires_at: null,
        // what scanners find that look for secrets in what is published
        key: expect.stringMatching(/^vigil_[\w-]{43}$/),
      },
    ])
    const { key, ...row } = made.json
    expect(await list()).toEqual([row])
    expect(await list(stranger)).toEqual([])
    expect((await versionBy(key)).status).toBe(200)
    await expect.poll(async () => (await list())[0].last_used_at).toEqual(expect.any(String))
    expect((await list())[0].last_address).toBe('127.0.0.1')
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

  it('of old, without the word before it, is good still', async () => {
    const key = 'k'.repeat(43)
    await app.ctx.db
      .insertInto('accessTokens')
      .values({ userId: owner.id, application: 'Old', kind: 'key', scope: 'slicer', tokenHash: hashOf(key) })
      .execute()
    expect((await versionBy(key)).status).toBe(200)
  })

  it('for more than slicers reaches as far as was said: sees, acts on prints, or changes', async () => {
    const { id } = await aPrinter(app, owner, 'Voron')
    const ask = async (scope: string, method: string, path: string, body?: object) => {
      const { key } = (await make({ name: scope, scope })).json
      return await call(app, method, path, { headers: { 'x-api-key': key }, ...(body && { body }) })
    }
    const [at, pause] = [`/api/v1/printers/${id}/`, `/api/v1/printers/${id}/pause_print/`]
    const wanted = { read: [200, 403, 403], operate: [200, 200, 403], manage: [200, 200, 200] }
    for (const [scope, statuses] of Object.entries(wanted)) {
      const seen = await ask(scope, 'GET', at)
      // The agent speaks with it: no key is told.
      expect([seen.json.name, seen.json.auth_token]).toEqual(['Voron', ''])
      const paused = await ask(scope, 'POST', pause)
      const changed = await ask(scope, 'PATCH', at, { watching_enabled: true })
      expect([scope, seen.status, paused.status, changed.status]).toEqual([scope, ...statuses])
    }
    // Whoever comes as a person still has it, also after a key has asked for the same list.
    const listBy = async (how: object) => (await call(app, 'GET', '/api/v1/printers/', how)).json
    const { key } = (await make({ name: 'List', scope: 'read' })).json
    for (const [how, length] of [
      [{ cookie: owner.cookie }, 20],
      [{ headers: { 'x-api-key': key } }, 0],
      [{ cookie: owner.cookie }, 20],
    ] as const)
      expect((await listBy(how)).at(-1).auth_token).toHaveLength(length)
  })

  it('for some printers sees them alone, and nothing of the account; of printers that are gone nothing', async () => {
    const [mine, other] = [await aPrinter(app, owner, 'Mine'), await aPrinter(app, owner, 'Other')]
    const theirs = await aPrinter(app, stranger, 'Not mine')
    expect((await make({ name: 'x', scope: 'read', printer_ids: [mine.id, theirs.id] })).status).toBe(404)
    expect((await make({ name: 'x', scope: 'read', printer_ids: [] })).status).toBe(400)
    expect((await make({ name: 'x', scope: 'read', printer_id: mine.id })).json).toHaveProperty('printer_id')
    expect((await make({ name: 'x', printer_ids: [mine.id] })).json).toHaveProperty('printer_ids')

    const { key, printers } = (await make({ name: 'Some', scope: 'manage', printer_ids: [mine.id] })).json
    expect(printers).toEqual([{ id: mine.id, name: 'Mine' }])
    for (const printerId of [mine.id, other.id, null])
      await app.ctx.db
        .insertInto('prints')
        .values(asId({ userId: owner.id, printerId, filename: `of ${printerId}` }))
        .execute()
    const by = (path: string) => call(app, 'GET', `/api/v1/${path}`, { headers: { 'x-api-key': key } })
    const namesOf = async (path: string) =>
      (await by(path)).json.map(({ name, filename }: Record<string, string>) => name ?? filename)
    expect(await namesOf('printers/')).toEqual(['Mine'])
    expect(await namesOf('printers/?with_archived=true')).toEqual(['Mine'])
    expect(await namesOf('prints/')).toEqual([`of ${mine.id}`])
    expect((await by(`printers/${other.id}/`)).status).toBe(404)
    expect((await by('g_code_files/')).status).toBe(403)
    const removed = await call(app, 'DELETE', `/api/v1/printers/${mine.id}/`, { cookie: owner.cookie })
    expect(removed.status).toBe(204)
    expect(await namesOf('printers/')).toEqual([])
    expect((await list())[0]).toMatchObject({ name: 'Some', printers: [] })
  })

  it('says nothing of its user where anybody may ask', async () => {
    const { key } = (await make({ name: 'Nobody', scope: 'manage' })).json
    const { json } = await call(app, 'GET', '/api/v1/bootstrap/', { headers: { 'x-api-key': key } })
    expect(json.user).toBeNull()
    expect((await call(app, 'GET', '/api/v1/users/me/', { headers: { 'x-api-key': key } })).status).toBe(403)
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
