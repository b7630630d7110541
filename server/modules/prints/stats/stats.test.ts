import type { Stats } from '@vigil/contract/prints/stats.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let first: { id: number }
let second: { id: number }

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
  first = await aPrinter(app, owner, 'Ender')
  second = await aPrinter(app, owner, 'Prusa')
  await printed(owner, first.id, '2026-03-28T22:59:59Z', { finished: 3600, filament: 1000 })
  await printed(owner, first.id, '2026-03-28T23:00:00Z', { finished: 7200, filament: 2000.5 })
  await printed(owner, second.id, '2026-03-29T21:59:59Z', { cancelled: 600 })
  await printed(owner, second.id, '2026-03-29T22:00:00Z', {})
  await printed(owner, first.id, '2026-03-30T12:00:00Z', { finished: 100, filament: 5, deleted: true })
  const theirs = await aPrinter(app, stranger)
  await printed(stranger, theirs.id, '2026-03-29T12:00:00Z', { finished: 999_999, filament: 999_999 })
})
afterAll(() => app.close())

interface Made {
  finished?: number
  cancelled?: number
  filament?: number
  deleted?: true
}

async function printed(user: TestUser, printerId: number, startedAt: string, made: Made): Promise<void> {
  const began = new Date(startedAt)
  const seconds = made.finished ?? made.cancelled ?? null
  const ended = new Date(began.getTime() + (seconds ?? 0) * 1000)
  await app.ctx.db
    .insertInto('prints')
    .values(
      asId({
        userId: user.id,
        printerId,
        filename: 'a.gcode',
        startedAt: began,
        finishedAt: made.finished === undefined ? null : ended,
        cancelledAt: made.cancelled === undefined ? null : ended,
        deletedAt: made.deleted ? ended : null,
        printTime: seconds,
        filamentUsed: made.filament ?? null,
      }),
    )
    .execute()
}

const BERLIN = 'from_date=2026-03-28&to_date=2026-03-31&timezone=Europe/Berlin&group_by=day'
const ask = async (query: string, { cookie } = owner) =>
  await call(app, 'GET', `/api/v1/prints/stats/?${query}`, { cookie })
const stats = async (query: string, who?: TestUser) => {
  const { status, json, text } = await ask(query, who)
  expect([status, text.slice(0, 200)]).toEqual([200, expect.anything()])
  return json as Stats
}
const values = (groups: Stats['print_count_groups']) => groups.map(({ value }) => value)

describe('statistics', () => {
  it('word for word: over the night on which the clocks change, a second before midnight and after', async () => {
    expect(await stats(BERLIN)).toEqual({
      print_count_groups: [
        { key: '2026-03-28T00:00:00+01:00', value: 1 },
        { key: '2026-03-29T00:00:00+01:00', value: 2 },
        { key: '2026-03-30T00:00:00+01:00', value: 1 },
        { key: '2026-03-31T00:00:00+01:00', value: 0 },
      ],
      print_time_groups: [
        { key: '2026-03-28T00:00:00+01:00', value: 3600 },
        { key: '2026-03-29T00:00:00+01:00', value: 7800 },
        { key: '2026-03-30T00:00:00+01:00', value: 0 },
        { key: '2026-03-31T00:00:00+01:00', value: 0 },
      ],
      filament_used_groups: [
        { key: '2026-03-28T00:00:00+01:00', value: 1000 },
        { key: '2026-03-29T00:00:00+01:00', value: 2000.5 },
        { key: '2026-03-30T00:00:00+01:00', value: 0 },
        { key: '2026-03-31T00:00:00+01:00', value: 0 },
      ],
      total_print_count: 4,
      total_print_time: 11_400,
      total_filament_used: 3000.5,
      total_cancelled_print_count: 1,
      total_succeeded_print_count: 2,
      longest_print_time: 7200,
      average_print_time: 2850,
    })
  })

  it('where zones are half an hour apart, and by weeks that begin on Sunday', async () => {
    const kolkata = BERLIN.replace('Europe/Berlin', 'Asia/Kolkata')
    expect(values((await stats(kolkata)).print_count_groups)).toEqual([0, 2, 2, 0])
    // From Saturday: that day alone, then the whole week.
    const weekly = await stats(BERLIN.replace('=day', '=WEEK'))
    expect(weekly.print_count_groups).toEqual([
      { key: '2026-03-28T00:00:00+01:00', value: 1 },
      { key: '2026-03-29T00:00:00+01:00', value: 3 },
    ])
    expect(values((await stats(BERLIN.replace('=day', '=Month'))).print_count_groups)).toEqual([4])
    expect(values((await stats(BERLIN.replace('=day', '=year'))).print_time_groups)).toEqual([11_400])
  })

  it.each([
    ['with_deleted=true', 5],
    ['with_deleted', 5],
    ['filter=cancelled', 1],
    ['filter=finished', 2],
    ['filter=finished&with_deleted', 3],
    ['feedback_needed=need_alert_overwrite', 0],
    ['filter=none&feedback_needed=none', 4],
  ])('of the prints that are meant: %s', async (query, count) => {
    expect((await stats(`${BERLIN}&${query}`)).total_print_count).toBe(count)
  })

  it('of the printers that are meant, and of one’s own alone', async () => {
    const one = await stats(`${BERLIN}&filter_by_printer_ids[]=${second.id}`)
    expect([one.total_print_count, one.total_cancelled_print_count]).toEqual([2, 1])
    const both = `filter_by_printer_ids=${first.id}&filter_by_printer_ids=${second.id}`
    expect((await stats(`${BERLIN}&${both}`)).total_print_count).toBe(4)
    expect((await stats(`${BERLIN}&filter_by_printer_ids=${first.id}`, stranger)).total_print_count).toBe(0)
    expect((await stats(BERLIN, stranger)).total_print_time).toBe(999_999)
  })

  it('of nothing are zeros, and every group is there', async () => {
    const none = await stats('from_date=2024-02-28&to_date=2024-03-01&timezone=UTC&group_by=day')
    expect(values(none.print_count_groups)).toEqual([0, 0, 0])
    expect([none.average_print_time, none.longest_print_time, none.total_filament_used]).toEqual([0, 0, 0])
    const backwards = await stats('from_date=2024-03-01&to_date=2024-02-28&timezone=UTC&group_by=day')
    expect([backwards.print_count_groups, backwards.total_print_count]).toEqual([[], 0])
    // A day that Samoa never had.
    const apia = await stats('from_date=2011-12-29&to_date=2011-12-31&timezone=Pacific/Apia&group_by=day')
    expect(values(apia.print_time_groups)).toEqual([0, 0, 0])
    const old = await stats('from_date=0001-01-01&to_date=3999-12-31&timezone=UTC&group_by=year')
    expect(old.total_print_count).toBe(4)
  })

  it.each([
    ['from_date', '', { from_date: ['This field is required.'] }],
    ['to_date', '', { to_date: ['This field is required.'] }],
    ['timezone', '', { timezone: ['This field is required.'] }],
    ['group_by', '', { group_by: ['This field is required.'] }],
    ['group_by', 'group_by=auto', { group_by: [expect.any(String)] }],
    ['from_date', 'from_date=2026-02-29', { from_date: [expect.any(String)] }],
    ['to_date', 'to_date=tomorrow', { to_date: [expect.any(String)] }],
    ['timezone', 'timezone=Mars/Olympus', { timezone: [expect.any(String)] }],
    ['from_date', 'from_date=1900-01-01', { group_by: [expect.stringContaining('4000')] }],
  ])('refuse %s %s', async (left, given, refusal) => {
    const query = BERLIN.split('&').filter((part) => !part.startsWith(`${left}=`))
    const { status, json } = await ask([...query, given].join('&'))
    expect([status, json]).toEqual([400, refusal])
  })
})
