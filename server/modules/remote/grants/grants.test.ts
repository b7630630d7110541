import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { byServer, requirePrinter } from '../../core/access/index.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { inNameOf } from '../../../http/principal.ts'
import { whenRevoked } from './ends.ts'
import {
  createAppTunnel,
  internalTunnel,
  isReserved,
  listAppTunnels,
  noteUse,
  NoTunnelLeft,
  requireAppTunnel,
  revokeAppTunnel,
  tunnelByHost,
  tunnelOfApp,
} from './grants.service.ts'
import { monthOf, addUsage, isOverCap, usageOf, writeUsage } from './usage.service.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
const leaveFor = ({ id }: { id: number }, who = owner) =>
  requirePrinter(app.ctx, inNameOf({ userId: who.id }), id, 'control')

beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true', OCTOPRINT_TUNNEL_PORT_RANGE: '15853-15855' } })
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Ender')
})
afterAll(() => app.close())

describe('a tunnel', () => {
  it('of an app opens by its password alone, which nobody can read again, until it is taken back', async () => {
    const { tunnel, user, password } = await createAppTunnel(app.ctx, await leaveFor(printer), 'OctoApp')
    for (const secret of [user, password]) expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(tunnel).toMatchObject({
      kind: 'app',
      code: expect.stringMatching(/^[0-9a-f]{16}$/),
      userId: owner.id,
    })
    for (const host of [{ code: tunnel.code.toUpperCase() }, { port: tunnel.port ?? 0 }])
      expect(await tunnelByHost(app.ctx, host)).toMatchObject({ id: tunnel.id, printerId: printer.id })
    expect(await tunnelOfApp(app.ctx, user, password)).toMatchObject({ id: tunnel.id })
    expect(await tunnelOfApp(app.ctx, user, user)).toBeNull()
    expect(await tunnelOfApp(app.ctx, password, password)).toBeNull()
    const kept = await app.ctx.db.selectFrom('tunnels').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(password)

    let ended = 0
    whenRevoked(app.ctx, tunnel, () => void ended++)
    const stop = whenRevoked(app.ctx, tunnel, () => void (ended += 100))
    stop()
    const listed = await requireAppTunnel(app.ctx, owner.id, tunnel.id)
    await revokeAppTunnel(app.ctx, await leaveFor(printer), listed)
    expect(ended).toBe(1)
    expect(await tunnelOfApp(app.ctx, user, password)).toBeNull()
    expect(await tunnelByHost(app.ctx, { code: tunnel.code })).toBeNull()
    expect(await listAppTunnels(app.ctx, owner.id)).toEqual([])
  })

  it('of our own pages is one for each printer, however many ask at once', async () => {
    const leave = await leaveFor(printer)
    const made = await Promise.all(Array.from({ length: 4 }, () => internalTunnel(app.ctx, leave)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(made[0]).toMatchObject({ kind: 'internal', username: null })
    expect(await listAppTunnels(app.ctx, owner.id)).toEqual([])
  })

  it('finds the port that was free for longest, and none when all are taken; a deleted printer keeps none', async () => {
    const other = await aPrinter(app, owner, 'Voron')
    const leave = await leaveFor(other)
    const [second, third] = [
      await createAppTunnel(app.ctx, leave, 'a'),
      await createAppTunnel(app.ctx, leave, 'b'),
    ]
    // 15853 was another's a moment ago: the one that nobody had comes first.
    expect([second.tunnel.port, third.tunnel.port]).toEqual([15855, 15853])
    await expect(createAppTunnel(app.ctx, leave, 'c')).rejects.toThrow(NoTunnelLeft)
    const ended = new Promise<void>((resolve) => void whenRevoked(app.ctx, third.tunnel, resolve))
    const path = `/api/v1/printers/${other.id}/`
    expect((await call(app, 'DELETE', path, { cookie: owner.cookie })).status).toBe(204)
    await ended
    expect(await tunnelByHost(app.ctx, { port: 15853 })).toBeNull()
    expect(await createAppTunnel(app.ctx, await leaveFor(printer), 'd')).toMatchObject({
      tunnel: { port: expect.any(Number) },
    })
  })

  it('that is longest unused gives way when another owner needs its port, who comes to no more than others so', async () => {
    const made: { who: TestUser; printer: { id: number } }[] = []
    const ask = async (who: TestUser) => {
      const one = await aPrinter(app, who)
      made.push({ who, printer: one })
      return (await internalTunnel(app.ctx, await leaveFor(one, who))).id
    }
    const open = async () => {
      const rows = app.ctx.db
        .selectFrom('tunnels')
        .innerJoin('printers', 'printers.id', 'tunnels.printerId')
        .select(['tunnels.id', 'printers.userId', 'tunnels.kind'])
      return await rows.where('tunnels.revokedAt', 'is', null).orderBy('tunnels.id').execute()
    }
    await createAppTunnel(app.ctx, await leaveFor(printer), 'e')
    const held = await open()
    expect(held.map(({ userId }) => userId)).toEqual([owner.id, owner.id, owner.id])
    const [own, older, newer] = held.toSorted(
      (a, b) => Number(a.kind === 'app') - Number(b.kind === 'app') || a.id - b.id,
    )
    const ended = new Promise<void>(
      (resolve) => void whenRevoked(app.ctx, { id: own!.id, printerId: printer.id }, resolve),
    )
    const [stranger, third, fourth] = [await aUser(app), await aUser(app), await aUser(app)]
    // Used a moment ago, all three; but who has none is not kept out by who has several. Apps would lose their way for good, so our own pages' goes first.
    const theirs = await ask(stranger)
    await ended
    expect((await open()).map(({ id }) => id)).toEqual(
      [older!.id, newer!.id, theirs].toSorted((a, b) => a - b),
    )
    await expect(ask(stranger), 'as many as its owner would have left').rejects.toThrow(NoTunnelLeft)
    const last = await ask(third)
    expect((await open()).map(({ id }) => id)).toEqual([newer!.id, theirs, last].toSorted((a, b) => a - b))
    await expect(ask(fourth), 'the only one of each, and in use').rejects.toThrow(NoTunnelLeft)
    app.advance(31 * 60_000)
    await ask(fourth)
    expect(new Set((await open()).map(({ userId }) => userId)).size).toBe(3)
    for (const one of made)
      await call(app, 'DELETE', `/api/v1/printers/${one.printer.id}/`, { cookie: one.who.cookie })
    for (const tunnel of await listAppTunnels(app.ctx, owner.id))
      await revokeAppTunnel(app.ctx, await leaveFor(printer), tunnel)
  })

  it('of an archived printer leads nowhere until the printer is back', async () => {
    const tunnel = await internalTunnel(app.ctx, await leaveFor(printer))
    const ask = async () => (await tunnelByHost(app.ctx, { code: tunnel.code }))?.id ?? null
    expect(await ask()).toBe(tunnel.id)
    const path = `/api/v1/printers/${printer.id}`
    expect((await call(app, 'POST', `${path}/archive/`, { cookie: owner.cookie })).status).toBe(204)
    expect(await ask()).toBeNull()
    expect((await call(app, 'POST', `${path}/unarchive/`, { cookie: owner.cookie })).status).toBe(204)
    expect(await internalTunnel(app.ctx, await leaveFor(printer))).toMatchObject({ id: tunnel.id })
  })

  it('remembers when it was used', async () => {
    const tunnel = await internalTunnel(app.ctx, byServer(printer.id))
    expect(tunnel.lastUsedAt).toBeNull()
    noteUse(app.ctx, tunnel)
    const lastUsed = async () => (await internalTunnel(app.ctx, byServer(printer.id))).lastUsedAt
    await expect.poll(lastUsed).toEqual(expect.any(Date))
  })

  it('may not be named as if it were ours', () => {
    expect(['vigil ', 'OBICO', 'OctoApp'].map((name) => isReserved(app.ctx, name))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('what tunnels carry', () => {
  it('counts to the month of its owner’s clocks, is capped, and written together', async () => {
    const who = await aUser(app)
    await setPlan(app.ctx, { email: who.email, plan: 'free' })
    await call(app, 'PATCH', '/api/v1/users/me/', { cookie: who.cookie, body: { time_zone: 'Asia/Tokyo' } })
    expect(await usageOf(app.ctx, who.id)).toMatchObject({ total: 0, monthly_cap: 314_572_800 })
    await Promise.all(Array.from({ length: 50 }, async () => addUsage(app.ctx, who.id, 6_000_000)))
    addUsage(app.ctx, who.id, 1)
    expect(await isOverCap(app.ctx, who.id)).toBe(false)
    addUsage(app.ctx, who.id, 50_000_000)
    expect(await isOverCap(app.ctx, who.id)).toBe(true)
    await writeUsage(app.ctx)
    const rows = await app.ctx.db.selectFrom('tunnelUsage').selectAll().where('userId', '=', who.id).execute()
    const { month, ends } = monthOf(app.ctx.clock.now(), 'Asia/Tokyo')
    expect(rows).toEqual([{ userId: who.id, month, bytes: 350_000_001 }])

    app.setClock(ends - app.ctx.clock.now() - 5000)
    const { reset_in_seconds: seconds } = await usageOf(app.ctx, who.id)
    expect(seconds).toBeLessThanOrEqual(5)
    app.setClock(10_000)
    expect(await isOverCap(app.ctx, who.id)).toBe(false)
    expect(await usageOf(app.ctx, who.id)).toMatchObject({ total: 0 })
    await setPlan(app.ctx, { email: who.email, plan: 'pro' })
    expect(await usageOf(app.ctx, who.id)).toMatchObject({ monthly_cap: -1 })
  })

  it('forgets nothing that is written down while it is read', async () => {
    const who = await aUser(app)
    await setPlan(app.ctx, { email: who.email, plan: 'free' })
    addUsage(app.ctx, who.id, 350_000_000)
    const [isRead, isWritten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let answers = 0
    const late = app.ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (++answers < 2) return result
        isRead.resolve()
        await isWritten.promise
        return result
      },
    })
    const asked = isOverCap({ ...app.ctx, db: late }, who.id)
    await isRead.promise
    await writeUsage(app.ctx)
    isWritten.resolve()
    expect(await asked).toBe(true)
  })

  it('waits for a database that is away, and for nobody who is gone', async () => {
    const who = await aUser(app)
    addUsage(app.ctx, who.id, 5)
    addUsage(app.ctx, asId(2_000_000_000), 7)
    const gone = { ...app.ctx, db: app.ctx.db.withSchema('nowhere') }
    await expect(writeUsage(gone)).rejects.toThrow()
    addUsage(app.ctx, who.id, 6)
    expect(await usageOf(app.ctx, who.id)).toMatchObject({ total: 11 })
  })

  it('is written down while it comes, asked for or not: a server that is killed forgets the last moment', async () => {
    const who = await aUser(app)
    addUsage(app.ctx, who.id, 13)
    await eventually(async () => {
      const rows = await app.ctx.db
        .selectFrom('tunnelUsage')
        .selectAll()
        .where('userId', '=', who.id)
        .execute()
      return rows[0]?.bytes === 13 || undefined
    })
  })
})

it('a month is that of the zone, whatever its clocks do', () => {
  const at = Date.UTC(2026, 10, 30, 20)
  expect(monthOf(at, 'UTC')).toEqual({ month: '2026-11', ends: Date.UTC(2026, 11, 1) })
  expect(monthOf(at, 'Asia/Tokyo')).toEqual({ month: '2026-12', ends: Date.UTC(2026, 11, 31, 15) })
  expect(monthOf(at, 'No/Where')).toEqual(monthOf(at, null))
  expect(monthOf(Date.UTC(2026, 9, 20), 'Europe/Berlin').ends).toBe(Date.UTC(2026, 9, 31, 23))
})
