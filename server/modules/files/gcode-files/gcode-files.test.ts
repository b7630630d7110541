import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let agent: string

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
  agent = printer.auth_token
})
afterAll(() => app.close())

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { authorization: `Token ${agent}`, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

describe('G-code files', () => {
  const claim = {
    filename: 'a b.gcode',
    safe_filename: 'a_b.gcode',
    num_bytes: '27363',
    agent_signature: 'ts:1700000000.5',
    url: 'x/a_b.gcode',
  }
  const post = async (fields: Record<string, string>) => {
    const answer = await fetch(`${app.url}/api/v1/octo/g_code_files/`, form(fields))
    return { status: answer.status, json: (await answer.json()) as Record<string, any> }
  }

  it('are new once, then known', async () => {
    const first = await post(claim)
    expect(first).toMatchObject({
      status: 201,
      json: { user: owner.id, resident_printer: printer.id, num_bytes: 27363, url: 'x/a_b.gcode' },
    })
    expect(await post({ ...claim, user: '1', resident_printer: '2' })).toMatchObject({
      status: 200,
      json: { id: first.json['id'], user: owner.id },
    })
    expect((await post({ ...claim, agent_signature: 'ts:2' })).status).toBe(201)
  })

  it('lie at a path, or at an address of the printer: never at one that a browser would run or follow elsewhere', async () => {
    const placed = async (url: string) => {
      const { json } = await post({ ...claim, agent_signature: `ts:${url}`, url })
      return json['url']
    }
    for (const url of [
      'x/a.gcode',
      'a b: c.gcode',
      'http://192.168.1.7/downloads/a.gcode',
      'https://voron.local/a.gcode',
    ])
      expect(await placed(url)).toBe(url)
    const hostile = [
      'javascript:alert(1)//.gcode',
      ' jAvaScript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
    ]
    for (const url of [
      ...hostile,
      '//evil.example/a',
      '/\\evil.example/a',
      'https://evil.example/a',
      'https://evil.example@192.168.1.7/a',
      'file:///etc/passwd',
    ])
      expect(await placed(url), url).toBeNull()
  })

  it('name their prints on this printer alone', async () => {
    const { json: file } = await post({ ...claim, agent_signature: 'ts:3' })
    expect(file['print_set']).toEqual([])
    const other = await aPrinter(app, owner, 'Other')
    const values = { userId: owner.id, filename: 'a b.gcode', gCodeFileId: file['id'] as number }
    await app.ctx.db
      .insertInto('prints')
      .values([
        asId({ ...values, printerId: printer.id, extId: 71 }),
        asId({ ...values, printerId: printer.id, extId: 72, deletedAt: new Date() }),
        asId({ ...values, printerId: other.id, extId: 73 }),
      ])
      .execute()
    const list = await call(app, 'GET', '/api/v1/octo/g_code_files/', { agent })
    const [found] = list.json.filter(({ id }: { id: number }) => id === file['id'])
    expect(found.print_set).toMatchObject([
      { filename: 'a b.gcode', printer: { id: printer.id }, g_code_file: { id: file['id'] } },
    ])
    expect(list.text).not.toContain(other.auth_token)
    expect((await post({ ...claim, agent_signature: 'ts:3' })).json['print_set']).toHaveLength(1)
  })

  it('of the cloud are found by the signature that they got on the printer', async () => {
    const cloud = await app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: owner.id, filename: 'c.gcode', safeFilename: 'c.gcode' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const signed = await call(app, 'PATCH', `/api/v1/octo/g_code_files/${cloud.id}/`, {
      agent,
      body: { safe_filename: 'c_1.gcode', agent_signature: 'ts:9' },
    })
    expect(signed).toMatchObject({ status: 200, json: { id: cloud.id, agent_signature: 'ts:9' } })
    expect(await post({ ...claim, safe_filename: 'c_1.gcode', agent_signature: 'ts:9' })).toMatchObject({
      status: 200,
      json: { id: cloud.id, resident_printer: null, url: null },
    })
  })

  it('of others are not there', async () => {
    const stranger = await aUser(app)
    const foreign = await app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: stranger.id, filename: 's', safeFilename: 's' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const id of [foreign.id, 2_000_000_000, 'x', '99999999999999999999']) {
      expect(
        (await call(app, 'PATCH', `/api/v1/octo/g_code_files/${id}/`, { agent, body: {} })).status,
        String(id),
      ).toBe(404)
    }
    const list = await call(app, 'GET', '/api/v1/octo/g_code_files/', { agent })
    expect(list.json.map(({ user }: { user: number }) => user)).not.toContain(stranger.id)
  })

  it('with numbers that no row holds are refused', async () => {
    for (const num_bytes of ['1e400', '-1', '9223372036854775808', 'x'])
      expect((await post({ ...claim, num_bytes })).status, num_bytes).toBe(400)
  })
})
