import type { Delivery, NotificationSetting, Plugin } from '@vigil/contract/tell/notifications.ts'
import type { Config } from '../../../config.ts'
import { type Language, Text } from '../../../http/texts.ts'
import { CHANNELS, featuresOfChannel } from '../channels/index.ts'
import { type DeliveryRow, problemText } from '../outbox/index.ts'
import type { SettingRow } from './settings.queries.ts'

/** A channel as its owner set it up. */
export const presentSetting = (env: Config, row: SettingRow): NotificationSetting => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  name: row.name,
  config: { ...(CHANNELS.get(row.name)?.shown?.(row.config, { env, userId: row.userId }) ?? row.config) },
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

/** The channels of this server, by name. */
export const presentPlugins = (env: Config): Record<string, Plugin> =>
  Object.fromEntries(
    [...CHANNELS].map(([name, channel]) => [
      name,
      { features: [...featuresOfChannel(channel)], env_vars: { ...channel.envVars?.(env) } },
    ]),
  )

/** What was kept of a refusal, for who reads it. */
export function shownProblem(kept: string | null, language: Language): string | null {
  const said = kept === null ? null : problemText(kept)
  return said instanceof Text ? said.in(language) : said
}

export const presentDelivery = (row: DeliveryRow, language: Language): Delivery => ({
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
