import * as rulesApi from '@vigil/contract/tell/notification-rules.ts'
import * as api from '@vigil/contract/tell/notifications.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { languageOf, route } from '../../../http/route.ts'
import { CHANNELS, isSetUp } from '../channels/index.ts'
import { channelsInUse, listOf } from '../outbox/index.ts'
import { presentDelivery, presentPlugins, presentSetting, shownProblem } from './settings.present.ts'
import { reachOf } from './settings.rules.ts'
import { changeRules, rulesOf } from './rules.service.ts'
import { installSlack, slackAddress } from './slack.service.ts'
import * as settings from './settings.service.ts'

/** The channels of the caller, and what was sent by them (docs/wire/tell.md 4). */
export function settingsRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listPlugins, () => ({ plugins: presentPlugins(ctx.config) }))
  route(app, api.listSettings, async ({ principal }) =>
    (await settings.listSettings(ctx, principal.userId)).map((row) => presentSetting(ctx.config, row)),
  )
  route(app, api.createSetting, async ({ principal, body }) =>
    presentSetting(ctx.config, await settings.createSetting(ctx, principal.userId, body)),
  )
  route(app, api.getSetting, async ({ principal, params }) =>
    presentSetting(ctx.config, await settings.requireSetting(ctx, principal.userId, params.id)),
  )
  for (const endpoint of [api.changeSetting, api.replaceSetting] as const)
    route(app, endpoint, async ({ principal, params, body }) =>
      presentSetting(ctx.config, await settings.changeSetting(ctx, principal.userId, params.id, body)),
    )
  route(app, api.deleteSetting, async ({ principal, params }) => {
    await settings.removeSetting(ctx, principal.userId, params.id)
    return null
  })
  route(app, api.slackAddress, ({ principal, edge }) => ({ url: slackAddress(ctx, principal.userId, edge) }))
  route(app, api.installSlack, async ({ principal, body, edge }) =>
    presentSetting(ctx.config, await installSlack(ctx, principal.userId, { ...body, edge })),
  )
  route(app, api.sendTestMessage, async ({ principal, params }) => {
    await settings.sendTest(ctx, principal.userId, params.id)
    return { status: 'sent' as const }
  })
  route(app, rulesApi.getRules, ({ principal }) => rulesOf(ctx, principal.userId))
  route(app, rulesApi.changeRules, ({ principal, body }) => changeRules(ctx, principal.userId, body))
  route(app, api.listDeliveries, async ({ principal, query, request }) => {
    const rows = await listOf(ctx.db, principal.userId, query)
    return rows.map((row) => presentDelivery(row, languageOf(request)))
  })
  route(app, api.getReach, async ({ principal, request }) => {
    const channels = await channelsInUse(ctx.db, principal.userId)
    return reachOf(
      channels.filter(({ name }) => {
        const channel = CHANNELS.get(name)
        return channel !== undefined && isSetUp(channel, ctx.config)
      }),
      (kept) => shownProblem(kept, languageOf(request)),
    )
  })
}
