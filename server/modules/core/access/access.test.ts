import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../http/principal.ts'
import type { PrintId } from '../../../lib/id.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { inNameOf } from '../../../http/principal.ts'
import { findExt, writeExt } from '../../watch/nozzle-camera/ext.queries.ts'
import { updatePrinterRow } from '../../printers/printers/index.ts'
import { deleteLink } from '../../remote/share-links/share-links.queries.ts'
import { authorizePrinters, byServer, ofAgent, requirePrinter } from './index.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let id: number
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const as = ({ id: userId }: TestUser) => inNameOf({ userId })
const agentOf = (printerId: number): Principal => ({
  kind: 'printer',
  printerId: asId(printerId),
  userId: owner.id,
})
const ask = (principal: Principal, printerId: number, beside = {}) =>
  requirePrinter(app.ctx, principal, printerId, 'edit', beside).then(
    (printer) => printer.name,
    (error: { status?: number }) => error.status,
  )

describe('a printer', () => {
  beforeAll(async () => {
    id = (await aPrinter(app, owner, 'Ender')).id
  })

  it('is its owner’s and its agent’s; for everyone else it is not there', async () => {
    expect(await ask(as(owner), id)).toBe('Ender')
    expect(await ask(agentOf(id), id)).toBe('Ender')
    const other = await aPrinter(app, owner)
    const others: Principal[] = [
      as(stranger),
      agentOf(other.id),
      { kind: 'anonymous' },
      { kind: 'share', printerId: asId(id) },
    ]
    for (const one of others) expect([one, await ask(one, id)]).toEqual([one, 404])
    expect(await ask(as(owner), 2_000_000_000)).toBe(404)
  })

  it('that is archived or deleted is there for those alone who ask for such', async () => {
    const printer = await requirePrinter(app.ctx, as(owner), (await aPrinter(app, owner, 'Old')).id, 'edit')
    await updatePrinterRow(app.ctx.db, printer, { archivedAt: new Date() })
    expect(await ask(as(owner), printer.id)).toBe(404)
    expect(await ask(as(owner), printer.id, { withArchived: true })).toBe('Old')
    await updatePrinterRow(app.ctx.db, printer, { deletedAt: new Date() })
    expect(await ask(as(owner), printer.id, { withArchived: true })).toBe(404)
    expect(await ask(as(owner), printer.id, { withArchived: true, withDeleted: true })).toBe('Old')
    expect(await ask(as(stranger), printer.id, { withArchived: true, withDeleted: true })).toBe(404)
  })

  it('among many is picked out', async () => {
    const theirs = await aPrinter(app, stranger)
    const found = await authorizePrinters(app.ctx, as(owner), [theirs.id, id], 'control')
    expect(found.map((one) => one.id)).toEqual([id])
    expect(await authorizePrinters(app.ctx, as(owner), [], 'control')).toEqual([])
  })

  it('is changed by nobody who has not asked: a number, a row or leave to look do not type-check', async () => {
    const seen = await requirePrinter(app.ctx, as(owner), id, 'see')
    const change = (_never: () => unknown) => undefined
    // @ts-expect-error a key is no leave
    change(() => updatePrinterRow(app.ctx.db, id, { name: 'x' }))
    // @ts-expect-error nor is something that looks like a printer
    change(() => updatePrinterRow(app.ctx.db, { id, userId: owner.id }, { name: 'x' }))
    // @ts-expect-error leave to look is none to change
    change(() => updatePrinterRow(app.ctx.db, seen, { name: 'x' }))
    // @ts-expect-error what hangs on a printer neither
    change(() => writeExt(app.ctx.db, { id }, {}))
    expect((await findExt(app.ctx.db, seen)).printerId).toBe(id)
    for (const leave of [byServer(asId(id)), ofAgent({ printerId: asId(id) })])
      await updatePrinterRow(app.ctx.db, leave, { name: 'Ender' })
  })

  it('and all that is an owner’s is found by nobody who names a number: no column of ids compares with one', () => {
    const { db } = app.ctx
    const [named, text, row] = [7, '7', { id: 7, printId: 7 }]
    const never = (_never: (id: PrintId) => unknown) => undefined
    // @ts-expect-error a number
    never(() => db.selectFrom('prints').where('id', '=', named))
    // @ts-expect-error a text
    never(() => db.deleteFrom('tunnels').where('id', '=', text))
    // @ts-expect-error of an object
    never(() => db.updateTable('gCodeFiles').where('id', '=', row.id))
    // @ts-expect-error one of many
    never(() => db.selectFrom('sharedResources').where('id', 'in', [named]))
    // @ts-expect-error written into a row
    never(() => db.insertInto('queues').values({ userId: named, version: 1 }))
    // @ts-expect-error by the columns that hang on it
    never(() => db.selectFrom('decisions').where('printId', '=', row.printId))
    // @ts-expect-error the server does nothing to a number
    never(() => byServer(named))
    // @ts-expect-error nor is one kind of id another
    never((id) => db.selectFrom('printers').where('id', '=', id))
  })

  it('lends its leave to what hangs on it, and to nothing of another', async () => {
    const theirs = await aPrinter(app, stranger)
    const link = await app.ctx.db
      .insertInto('sharedResources')
      .values({ printerId: theirs.id, shareToken: 'x'.repeat(36) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const mine = await requirePrinter(app.ctx, as(owner), id, 'edit')
    await deleteLink(app.ctx.db, mine, link.id)
    const kept = app.ctx.db.selectFrom('sharedResources').select('id').where('id', '=', link.id)
    expect(await kept.executeTakeFirst()).toEqual({ id: link.id })
  })
})
