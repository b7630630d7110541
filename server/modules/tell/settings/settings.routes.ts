import * as rulesApi from '@vigil/contract/tell/notification-rules.ts'
import * as api from '@vigil/contract/tell/notifications.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Ctx } from '../../../ctx.ts'
import { isActing, refuseActing } from '../../../http/acting.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { languageOf, route } from '../../../http/route.ts'
import { type Language, Text } from '../../../http/texts.ts'
import { CHANNELS, isSetUp, featuresOfChannel } from '../channels/index.ts'
import { channelsInUse, listOf, type DeliveryRow, problemText } from '../outbox/index.ts'
import { changeRules, rulesOf } from './rules.service.ts'
import type { SettingRow } from './settings.queries.ts'
import { reachOf } from './settings.rules.ts'
import * as settings from './settings.service.ts'
import { installSlack, slackAddress } from './slack.service.ts'

/** A channel as its owner set it up; who acts as them sees none of its addresses and keys. */
const presentSetting = (env: Config, principal: UserPrincipal, row: SettingRow): api.NotificationSetting => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  name: row.name,
  config: isActing(principal) ? {} : configOf(env, row),
  enabled: row.enabled,
  notify_on_failure_alert: row.notifyOnFailureAlert,
  notify_on_not_watching: row.notifyOnNotWatching,
  notify_on_print_done: row.notifyOnPrintDone,
  notify_on_print_cancelled: row.notifyOnPrintCancelled,
  notify_on_filament_change: row.notifyOnFilamentChange,
  notify_on_heater_status: row.notifyOnHeaterStatus,
  notify_on_print_start: row.notifyOnPrintStart,
  notify_on_print_pause: row.notifyOnPrintPause,
  notify_on_print_resume: row.notifyOnPrintResume,
})

const configOf = (env: Config, row: SettingRow) => ({
  ...(CHANNELS.get(row.name)?.shown?.(row.config, { env, userId: row.userId }) ?? row.config),
})

/** The channels of this server, by name. */
const presentPlugins = (env: Config): Record<string, api.Plugin> =>
  Object.fromEntries(
    [...CHANNELS].map(([name, channel]) => [
      name,
      { features: [...featuresOfChannel(channel)], env_vars: { ...channel.envVars?.(env) } },
    ]),
  )

/** What was kept of a refusal, for who reads it. */
function shownProblem(kept: string | null, language: Language): string | null {
  const said = kept === null ? null : problemText(kept)
  return said instanceof Text ? said.in(language) : said
}

const presentDelivery = (row: DeliveryRow, language: Language): api.Delivery => ({
  id: row.id,
  channel: row.channel,
  kind: row.kind,
  printer: row.notice.printer.name,
  file: row.notice.print.filename,
  attempts: row.attempts,
  outcome: row.outcome,
  waits_for: row.waitsFor,
  problem: shownProblem(row.problem, language),
  created_at: row.createdAt.toISOString(),
  due_at: row.dueAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
})

/** The channels of the caller, and what was sent by them (docs/wire/tell.md 4). */
export function settingsRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listPlugins, () => ({ plugins: presentPlugins(ctx.config) }))
  route(app, api.listSettings, async ({ principal }) =>
    (await settings.listSettings(ctx, principal.userId)).map((row) =>
      presentSetting(ctx.config, principal, row),
    ),
  )
  route(app, api.createSetting, async ({ principal, body }) =>
    presentSetting(ctx.config, principal, await settings.createSetting(ctx, principal.userId, body)),
  )
  route(app, api.getSetting, async ({ principal, params }) =>
    presentSetting(ctx.config, principal, await settings.requireSetting(ctx, principal.userId, params.id)),
  )
  for (const endpoint of [api.changeSetting, api.replaceSetting] as const)
    route(app, endpoint, async ({ principal, params, body }) => {
      if (body.config !== undefined) refuseActing(principal)
      const row = await settings.changeSetting(ctx, principal.userId, params.id, body)
      return presentSetting(ctx.config, principal, row)
    })
  route(app, api.deleteSetting, async ({ principal, params }) => {
    await settings.removeSetting(ctx, principal.userId, params.id)
    return null
  })
  route(app, api.slackAddress, ({ principal, edge }) => ({ url: slackAddress(ctx, principal.userId, edge) }))
  route(app, api.installSlack, async ({ principal, body, edge }) =>
    presentSetting(ctx.config, principal, await installSlack(ctx, principal.userId, { ...body, edge })),
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
