import type { PrinterEvent } from '@vigil/contract/core/events.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { openBrowser } from '../../../test/wire/browser.ts'
import { writeEvent } from './index.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Ender')
})
afterAll(() => app.close())

const get = async (path: string, who: { cookie?: string; token?: string } = { cookie: owner.cookie }) =>
  await call(app, 'GET', `/api/v1/printer_events/${path}`, who)
const list = async (query = '') => (await get(`?${query}`)).json as PrinterEvent[]
const types = async (query: string) => (await list(query)).map(({ event_type }) => event_type)
const told = async (of: Partial<Parameters<typeof writeEvent>[1]> = {}) =>
  await app.ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...app.ctx, db: tx },
      {
        userId: owner.id,
        printerId: asId(printer.id),
        printId: null,
        type: 'STARTED',
        class: 'INFO',
        code: 'print_started',
        params: { printer: 'Ender', file: 'a.gcode' },
        ...of,
      },
    ),
  )
const unseen = async () =>
  (await call(app, 'GET', '/api/v1/users/me/', { cookie: owner.cookie })).json.unseen_printer_events

describe('the list of events', () => {
  it('is counted by class and type, each owner’s own', async () => {
    const other = await aUser(app)
    const own = await aPrinter(app, other, 'Counted')
    const theirs = { userId: other.id, printerId: asId(own.id) }
    await told(theirs)
    await told(theirs)
    await told({ ...theirs, type: 'FAILURE_ALERTED', class: 'ERROR', code: 'failure_alerted' })
    const { json } = await get('counts/', { token: other.token })
    expect(json).toHaveLength(2)
    expect(json).toEqual(
      expect.arrayContaining([
        { event_class: 'INFO', event_type: 'STARTED', count: 2 },
        { event_class: 'ERROR', event_type: 'FAILURE_ALERTED', count: 1 },
      ]),
    )
  })

  it('word for word, as a reader of each language reads it', async () => {
    await told({
      printId: asId(7),
      params: { printer: 'Ender', file: '<img src=x onerror=alert(1)>.gcode' },
      image: { container: 'tsd-pics', path: 'snapshots/1/7/1.jpg' },
      infoUrl: 'https://example.org/why?a=1',
    })
    const [event] = await list('lang=en')
    expect(event).toEqual({
      id: expect.any(Number),
      print: 7,
      printer: printer.id,
      event_type: 'STARTED',
      event_class: 'INFO',
      event_title: 'Print job started',
      event_text: 'Ender started printing &lt;img src=x onerror=alert(1)&gt;.gcode.',
      image_url: expect.stringMatching(/\/media\/tsd-pics\/snapshots\/1\/7\/1\.jpg\?digest=/),
      info_url: 'https://example.org/why?a=1',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect((await list('lang=zh'))[0]?.event_title).toBe('打印任务已开始')
    expect((await get(`${event?.id}/?lang=en`)).json).toEqual(event)
  })

  it('an agent’s own words come as harmless HTML, and its address only if it is one of the web', async () => {
    await told({
      type: 'PRINTER_ERROR',
      class: 'ERROR',
      code: null,
      title: 'Moonraker <b>Error</b>',
      text: '<b>!! Lost</b> <script>alert(1)</script><a href="javascript:alert(1)">x</a>',
      infoUrl: 'javascript:alert(1)',
    })
    expect((await list())[0]).toMatchObject({
      event_title: 'Moonraker <b>Error</b>',
      event_text: '<b>!! Lost</b> &lt;script&gt;alert(1)&lt;/script&gt;x',
      info_url: null,
      image_url: null,
      print: null,
    })
  })

  it('is filtered by classes and types: left out is all, empty is nothing', async () => {
    const kinds = [
      ['ENDED', 'SUCCESS'],
      ['FAILURE_ALERTED', 'ERROR'],
      ['ALERT_MUTED', 'WARNING'],
      ['ALERT_UNMUTED', 'INFO'],
      ['PAUSED', 'INFO'],
      ['RESUMED', 'INFO'],
      ['FILAMENT_CHANGE', 'WARNING'],
    ] as const
    for (const [type, eventClass] of kinds) await told({ type, class: eventClass })
    expect((await types('limit=200')).toReversed()).toEqual([
      'STARTED',
      'PRINTER_ERROR',
      ...kinds.map(([type]) => type),
    ])
    const alert = ['ALERT_UNMUTED', 'ALERT_MUTED', 'FAILURE_ALERTED']
    for (const [query, found] of [
      ['filter_by_types[]=ALERT', alert],
      ['filter_by_types=ALERT&filter_by_types=ENDED', [...alert, 'ENDED']],
      ['filter_by_types[]=PAUSE_RESUME', ['RESUMED', 'PAUSED']],
      ['filter_by_types[]=PAUSED', ['PAUSED']],
      [
        'filter_by_classes[]=ERROR&filter_by_classes[]=SUCCESS',
        ['FAILURE_ALERTED', 'ENDED', 'PRINTER_ERROR'],
      ],
      ['filter_by_classes[]=WARNING&filter_by_types[]=ALERT', ['ALERT_MUTED']],
      ['filter_by_classes[]=', []],
      ['filter_by_types=', []],
      ['filter_by_types[]=ALERT&filter_by_classes[]=', []],
      ['filter_by_types[]=NOTHING', []],
      ['start=1&limit=2', ['RESUMED', 'PAUSED'].map((_, at) => ['RESUMED', 'PAUSED'][at])],
      ['start=8', ['STARTED']],
      ['start=9', []],
      ['limit=0', ['FILAMENT_CHANGE']],
    ] as const)
      expect([query, await types(query)]).toEqual([query, found])
    for (const refused of ['limit=x', 'start=1.5', `filter_by_types=${'x'.repeat(65)}`])
      expect((await get(`?${refused}`)).status).toBe(400)
  })

  it('is one’s own alone, and keeps what archived and deleted printers have told', async () => {
    const before = await list('limit=200')
    const stranger = await aUser(app)
    expect((await get('', { cookie: stranger.cookie })).json).toEqual([])
    expect((await get(`${before[0]?.id}/`, { cookie: stranger.cookie })).status).toBe(404)
    for (const id of ['0', 'x', '99999999999999', '1.5']) expect((await get(`${id}/`)).status).toBe(404)
    const other = await aPrinter(app, owner, 'Old')
    await told({ printerId: other.id, class: 'WARNING' })
    await call(app, 'DELETE', `/api/v1/printers/${other.id}/`, { cookie: owner.cookie })
    const after = (await get('?limit=200', { token: owner.token })).json as PrinterEvent[]
    expect(after.map(({ id }) => id).slice(1)).toEqual(before.map(({ id }) => id))
    expect(after[0]?.printer).toBe(other.id)
  })
})

describe('what is unseen', () => {
  it('counts up with each event, and is nothing once it was said or the page was opened', async () => {
    await call(app, 'POST', '/api/v1/printer_events/mark_seen/', { cookie: owner.cookie })
    expect(await unseen()).toBe(0)
    await told()
    await told()
    expect(await unseen()).toBe(2)
    const seen = await call(app, 'POST', '/api/v1/printer_events/mark_seen/', { token: owner.token })
    expect([seen.status, seen.json, await unseen()]).toEqual([200, { unseen_printer_events: 0 }, 0])
    await told()
    const page = (path: string, cookie?: string) =>
      call(app, 'GET', path, { ...(cookie && { cookie }), headers: { accept: 'text/html' } })
    await page('/stats/', owner.cookie)
    await page('/printer_events/')
    expect(await unseen()).toBe(1)
    expect((await page('/printer_events/?x=1', owner.cookie)).status).toBe(200)
    await eventually(async () => (await unseen()) === 0 || undefined)
  })

  it('is told to all pages of the account, at once and whenever it changes', async () => {
    await call(app, 'POST', '/api/v1/printer_events/mark_seen/', { cookie: owner.cookie })
    const [newest] = await list('limit=1')
    const pages = [
      await openBrowser(app, '/ws/web/all/', owner.cookie),
      await openBrowser(app, '/ws/web/all/', owner.cookie),
    ]
    try {
      for (const page of pages)
        expect((await page.hear(({ feed }) => feed !== undefined)).feed).toEqual({
          unseen: 0,
          newest: newest?.id,
        })
      await told()
      for (const page of pages) {
        const { feed } = await page.hear((frame) => frame.feed?.unseen === 1)
        expect(feed.newest).toBeGreaterThan(newest!.id)
      }
      await call(app, 'POST', '/api/v1/printer_events/mark_seen/', { cookie: owner.cookie })
      for (const page of pages)
        await page.hear((frame) => frame.feed?.unseen === 0 && frame.feed.newest > newest!.id)
    } finally {
      for (const { ws } of pages) ws.close()
    }
  })
})
