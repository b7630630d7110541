import * as contract from '@vigil/contract/people/devices.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { mayBeNamed } from '../../../engines/outgoing/guard.ts'
import { keptByPerson } from '../../../http/acting.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import type { Principal } from '../../../http/principal.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { type BrowserRow, deleteBrowser, findBrowsers } from './browsers.queries.ts'
import { addBrowser, pushKeys } from './browsers.service.ts'
import {
  deactivateDevice,
  deactivateElsewhere,
  type DeviceRow,
  findDevice,
  findDevices,
  upsertDevice,
} from './devices.queries.ts'

export { type BrowserRow, deleteBrowser, findBrowsers, type PushKeys } from './browsers.queries.ts'
export { pushKeys } from './browsers.service.ts'
export { deactivateDevice, type DeviceRow, findDevices } from './devices.queries.ts'

const present = (row: DeviceRow, reader: Principal): contract.MobileDevice => ({
  id: row.id,
  user: row.userId,
  platform: row.platform,
  app_version: row.appVersion,
  device_token: keptByPerson(reader, row.deviceToken),
  deactivated_at: row.deactivatedAt?.toISOString() ?? null,
  preferred_timezone: row.preferredTimezone,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

const presentBrowser = (
  { id, endpoint, label, createdAt }: BrowserRow,
  reader: Principal,
): contract.PushSubscription => ({
  id,
  endpoint: keptByPerson(reader, endpoint),
  label,
  created_at: createdAt.toISOString(),
})

/** Phones that our apps run on, and browsers: they register themselves to be reached by push. */
export function registerDevices(app: FastifyInstance, ctx: Ctx): void {
  phones(app, ctx)
  browsers(app, ctx)
}

function phones(app: FastifyInstance, ctx: Ctx): void {
  const now = () => new Date(ctx.clock.now())
  route(app, contract.listDevices, async ({ principal }) =>
    (await findDevices(ctx.db, principal.userId)).map((row) => present(row, principal)),
  )
  route(app, contract.getDevice, async ({ principal, params }) => {
    const row = await findDevice(ctx.db, principal.userId, params.id)
    if (row === undefined) throw notFound()
    return present(row, principal)
  })
  route(app, contract.registerDevice, async ({ principal, body }) => {
    const { userId, sessionId } = principal
    const device = {
      userId,
      sessionId,
      platform: body.platform,
      appVersion: body.app_version,
      deviceToken: body.device_token,
      preferredTimezone: body.preferred_timezone ?? null,
      now: now(),
    }
    return await ctx.db.transaction().execute(async (db) => {
      await deactivateElsewhere(db, device)
      return present(await upsertDevice(db, device), principal)
    })
  })
  route(app, contract.removeDevice, async ({ principal, params }) => {
    if (!(await deactivateDevice(ctx.db, principal.userId, params.id, now()))) throw notFound()
    return null
  })
}

function browsers(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listSubscriptions, async ({ principal }) => ({
    public_key: (await pushKeys(ctx)).publicKey,
    subscriptions: (await findBrowsers(ctx.db, principal.userId)).map((row) =>
      presentBrowser(row, principal),
    ),
  }))
  route(app, contract.addSubscription, async ({ principal, body: { keys, ...browser } }) => {
    const { userId, sessionId } = principal
    if (!(await mayBeNamed(ctx.config, browser.endpoint)))
      throw invalid({
        endpoint: text('notifications-server', 'mayNotBeCalled', { host: new URL(browser.endpoint).host }),
      })
    return presentBrowser(await addBrowser(ctx, { userId, sessionId, ...browser, ...keys }), principal)
  })
  route(app, contract.removeSubscription, async ({ principal, params }) => {
    if (!(await deleteBrowser(ctx.db, principal.userId, params.id))) throw notFound()
    return null
  })
}
