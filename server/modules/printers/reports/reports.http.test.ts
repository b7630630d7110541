import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

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

describe('the start-up gate', () => {
  it('answers both paths, in any case of the scheme', async () => {
    const known = {
      user: { is_pro: true },
      printer: { is_pro: true, id: printer.id, name: 'Ender', retract_on_pause: 6.5 },
    }
    for (const path of ['/api/v1/octo/printer/', '/api/v1/octo/ping/']) {
      expect((await call(app, 'GET', path, { headers: { authorization: `token ${agent}` } })).json).toEqual(
        known,
      )
    }
  })

  it('refuses unknown tokens with the string False', async () => {
    const answer = await call(app, 'GET', '/api/v1/octo/printer/', { agent: 'nobody' })
    expect(answer).toMatchObject({
      status: 401,
      json: { error: 'Invalid or Inactive Token', is_authenticated: 'False' },
    })
    expect((await call(app, 'GET', '/api/v1/octo/printer/')).status).toBe(401)
  })

  it('renames and writes nothing else', async () => {
    const answer = await call(app, 'PATCH', '/api/v1/octo/printer/', {
      agent,
      body: { name: 'New', retract_on_pause: 99, auth_token: 'x', user: 1 },
    })
    expect(answer.json.printer).toMatchObject({ name: 'New', retract_on_pause: 6.5 })
    expect(
      (await call(app, 'PATCH', '/api/v1/octo/printer/', { agent, body: { name: ' \0 ' } })).json,
    ).toEqual({
      name: ['This field may not be blank.'],
    })
  })
})

describe('printer events', () => {
  const last = () =>
    app.ctx.db
      .selectFrom('printerEvents')
      .selectAll()
      .where('printerId', '=', printer.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()

  it('are text in a few styles, without NUL', async () => {
    const answer = await fetch(
      `${app.url}/api/v1/octo/printer_events/`,
      form({
        event_title: 'Octo\0Print Error',
        event_text: '<b>bad</b> \0<script>alert(1)</script>',
        event_type: 'PRINTER_ERROR',
        event_class: 'ERROR',
        info_url: 'javascript:alert(1)',
      }),
    )
    expect(await answer.json()).toEqual({ result: 'ok' })
    expect(await last()).toMatchObject({
      eventTitle: 'OctoPrint Error',
      eventText: '<b>bad</b> &lt;script&gt;alert(1)&lt;/script&gt;',
      infoUrl: null,
      image: null,
      printId: null,
    })
  })

  it('without a text are kept: the title says it all', async () => {
    const fields = { event_title: 'Error', event_text: '', event_type: 'PRINTER_ERROR', event_class: 'ERROR' }
    expect((await fetch(`${app.url}/api/v1/octo/printer_events/`, form(fields))).status).toBe(200)
    expect(await last()).toMatchObject({ eventTitle: 'Error', eventText: '' })
  })

  it('with a picture keep it, with a lie for one are refused', async () => {
    const post = async (bytes: Buffer) => {
      const body = new FormData()
      for (const [name, value] of Object.entries({
        event_title: 'Filament Change Required',
        event_text: 'x',
        event_type: 'FILAMENT_CHANGE',
        event_class: 'WARNING',
        notify: 'true',
      }))
        body.append(name, value)
      body.append('snapshot', new Blob([new Uint8Array(bytes)]), 'snapshot')
      return await fetch(`${app.url}/api/v1/octo/printer_events/`, {
        method: 'POST',
        headers: { authorization: `Token ${agent}` },
        body,
      })
    }
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    expect((await post(picture)).status).toBe(200)
    const event = await last()
    expect(event).toMatchObject({ eventType: 'FILAMENT_CHANGE', code: 'filament_change' })
    expect(await app.ctx.files.stat(event.image as never)).not.toBeNull()
    expect((await post(Buffer.from('GIF89a'))).status).toBe(400)
  })

  it('of unknown words are refused by name', async () => {
    const answer = await fetch(
      `${app.url}/api/v1/octo/printer_events/`,
      form({ event_type: 'X', event_class: 'Y', event_title: 'a' }),
    )
    expect(answer.status).toBe(400)
    expect(Object.keys((await answer.json()) as object).sort()).toEqual([
      'event_class',
      'event_text',
      'event_type',
    ])
  })
})
