import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { letIn } from '../../../test/household.ts'
import { asId } from '../../../test/ids.ts'
import { writeEvent, writeEvents } from '../../core/events/index.ts'
import type { Notice } from '../messages/index.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { aStandIn, type StandIn } from './standin.fixture.ts'

let app: TestApp
let owner: TestUser
let member: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let printId: number

const GOTIFY = 'https://gotify.example'
let gotify: StandIn

beforeAll(async () => {
  gotify = await aStandIn()
  app = await buildTestApp({
    env: { PUBLIC_URL: 'https://vigil.example', OUTGOING_STAND_INS: `${GOTIFY}=${gotify.url}` },
  })
})
afterAll(async () => {
  await app.close()
  await gotify.close()
})
beforeEach(async () => {
  ;[owner, member] = [await aUser(app), await aUser(app)]
  printer = await aPrinter(app, owner, 'Voron')
  const { id } = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'a.gcode', startedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  printId = id
  for (const [who, name] of [
    [owner, 'ntfy'],
    [member, 'ntfy'],
  ] as const)
    await app.ctx.db
      .insertInto('notificationSettings')
      .values({
        userId: who.id,
        name,
        config: '{"ntfy_url":"http://127.0.0.1:1/x"}',
        notifyOnPrintDone: true,
      })
      .execute()
})

const alert = () =>
  app.ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...app.ctx, db: tx },
      {
        userId: owner.id,
        printerId: printer.id,
        printId: asId(printId),
        type: 'FAILURE_ALERTED',
        class: 'WARNING',
        code: 'failure_alerted',
        params: { printer: 'Voron', file: 'a.gcode' },
      },
    ),
  )
const owed = async () =>
  await app.ctx.db
    .selectFrom('deliveries')
    .select(['userId', 'dueAt', 'createdAt', 'waitsFor', 'notice'])
    .where('userId', 'in', [owner.id, member.id])
    .orderBy('id')
    .execute()
const minutesOf = ({ dueAt, createdAt }: { dueAt: Date; createdAt: Date }) =>
  Math.round((dueAt.getTime() - createdAt.getTime()) / 60_000)

test('nobody but the owner is told, until somebody is let in; then they are by their own channels', async () => {
  await alert()
  expect((await owed()).map(({ userId }) => userId)).toEqual([owner.id])
  await letIn(app, owner, member, { role: 'operator' })
  await alert()
  expect(new Set((await owed()).slice(1).map(({ userId }) => userId))).toEqual(new Set([owner.id, member.id]))
})

test('who may look alone has no buttons; who was let in to another printer is told nothing', async () => {
  const other = await aPrinter(app, owner)
  await letIn(app, owner, member, { role: 'viewer', printerIds: [other.id] })
  await alert()
  expect((await owed()).map(({ userId }) => userId)).toEqual([owner.id])
  await app.ctx.db
    .updateTable('memberships')
    .set({ printerIds: null })
    .where('memberId', '=', member.id)
    .execute()
  await alert()
  const links = (await owed()).map(({ userId, notice }) => [userId === owner.id, notice.linkId !== undefined])
  expect(links.slice(1).toSorted()).toEqual([
    [false, false],
    [true, true],
  ])
})

test('who has a place is told when nobody answers, after the owner’s own steps, and not when somebody has', async () => {
  const id = await letIn(app, owner, member, { role: 'operator' })
  await call(app, 'PUT', `/api/v1/households/${owner.id}/order/`, {
    cookie: owner.cookie,
    body: { member_ids: [id] },
  })
  await call(app, 'PATCH', '/api/v1/notification_rules/', {
    cookie: owner.cookie,
    body: { escalate_after: 10 },
  })
  await alert()
  const rows = await owed()
  expect(
    rows
      .map((row) => (row.userId === owner.id ? [0, row.waitsFor] : [minutesOf(row), row.waitsFor]))
      .toSorted(),
  ).toEqual([
    [0, null],
    [10, 'escalation'],
  ])
})

test('that who may only look was told keeps the owner’s next channel from nothing', async () => {
  await letIn(app, owner, member, { role: 'viewer' })
  const tokens = () => gotify.asked.map(({ headers }) => headers['x-gotify-key'])
  for (const [who, token] of [
    [member, 'viewer'],
    [owner, 'owner'],
  ] as const)
    await call(app, 'POST', '/api/v1/notification_settings/', {
      cookie: who.cookie,
      body: { name: 'gotify', config: { gotify_url: GOTIFY, app_token: token } },
    })
  await call(app, 'PATCH', '/api/v1/notification_rules/', {
    cookie: owner.cookie,
    body: { escalate_after: 10, escalation_steps: { email: 0, ntfy: 0, gotify: 1 } },
  })
  await alert()
  // Without waiting ten minutes: the owner's first step is nobody who answers.
  await eventually(async () => tokens().includes('owner') || undefined)
  expect(tokens().toSorted()).toEqual(['owner', 'viewer'])
})

test('of printers that are lost at once a member hears once for each account, and of those that they may see alone', async () => {
  const lost = async (...of: { id: number; userId: number }[]) => {
    const events = of.map(({ id, userId }) => ({
      userId: asId(userId),
      printerId: asId(id),
      printId: null,
      type: 'PRINTER_ERROR' as const,
      class: 'WARNING' as const,
      code: 'not_watching',
      params: { printer: 'Voron', why: 'agent_lost' },
    }))
    await app.ctx.db.transaction().execute((db) => writeEvents({ ...app.ctx, db }, events))
  }
  const printing = async (who: TestUser) => {
    const { id } = await aPrinter(app, who)
    const print = await app.ctx.db
      .insertInto('prints')
      .values({ userId: who.id, printerId: id, filename: 'a.gcode' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.ctx.db.updateTable('printers').set({ currentPrintId: print.id }).where('id', '=', id).execute()
    return { id, userId: who.id }
  }
  const [first, second, hidden] = [await printing(owner), await printing(owner), await printing(owner)]
  const own = [await printing(member), await printing(member)] as const
  await letIn(app, owner, member, { role: 'operator', printerIds: [first.id, second.id] })
  await lost(first, second, ...own)
  await lost(hidden)

  const told = (who: TestUser, rows: { userId: number; notice: Notice }[]) =>
    rows
      .filter(({ userId }) => userId === who.id)
      .map(({ notice }) => [notice, ...(notice.others ?? [])].map(({ printer: { id } }) => id))
      .toSorted()
  const links = await app.ctx.db.selectFrom('alertLinks').select(['userId', 'notice']).execute()
  for (const rows of [await owed(), links]) {
    expect(told(owner, rows)).toEqual([[first.id, second.id, hidden.id]])
    expect(told(member, rows)).toEqual([[first.id, second.id], own.map(({ id }) => id)].toSorted())
  }
})
