import {
  changeSetting,
  createSetting,
  deleteSetting,
  installSlack,
  listDeliveries,
  listPlugins,
  listSettings,
  type NotificationSetting,
  type Plugin,
  sendTestMessage,
  slackAddress,
  type SwitchesWrite,
} from '@vigil/contract/tell/notifications.ts'
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { reachKey } from '../../../printer/reach.api.ts'

const PAGE = 30

export const pluginsQuery = queryOptions({
  queryKey: ['notifications', 'plugins'] as const,
  queryFn: async () => (await call(listPlugins)).plugins,
  staleTime: Infinity,
})

export const settingsQuery = queryOptions({
  queryKey: ['notifications', 'settings'] as const,
  queryFn: () => call(listSettings),
  staleTime: 30_000,
})

/** What was sent, newest first, a page at a time. */
export const deliveriesQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'deliveries'] as const,
  queryFn: ({ pageParam }) => call(listDeliveries, { query: { start: pageParam, limit: PAGE } }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  staleTime: 0,
})

/** All variables are set that this channel cannot do without. */
export const isAvailable = (plugin: Plugin | undefined): boolean =>
  plugin !== undefined && missingOf(plugin).length === 0

/** The required variables of the server that are not set. */
export const missingOf = ({ env_vars: vars }: Plugin): string[] =>
  Object.entries(vars)
    .filter(([, one]) => one.is_required && !one.is_set)
    .map(([name]) => name)

type Config = Record<string, unknown>

export const addChannel = (name: string, config: Config, switches: SwitchesWrite = {}) =>
  call(createSetting, { body: { name, config, ...switches } })

export const changeChannel = (
  { id, name }: NotificationSetting,
  changes: SwitchesWrite & { config?: Config },
) => call(changeSetting, { params: { id }, body: { name, ...changes } })

export const removeChannel = (id: number) => call(deleteSetting, { params: { id } })

export const sendTest = (id: number) => call(sendTestMessage, { params: { id } })

export const askSlack = () => call(slackAddress)

export const finishSlack = (code: string, state: string) => call(installSlack, { body: { code, state } })

/** Puts a channel that was set up, changed or removed into what the page holds. */
export function keepChannel(client: QueryClient, name: string, after: NotificationSetting | null): void {
  client.setQueryData(settingsQuery.queryKey, (before = []) => {
    const others = before.filter((one) => one.name !== name)
    return after ? [...others, after] : others
  })
  void client.invalidateQueries({ queryKey: reachKey })
}
