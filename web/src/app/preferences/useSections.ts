import { useQuery } from '@tanstack/react-query'
import { CHANNELS } from '../../features/tell/notifications/channels.ts'
import {
  isAvailable,
  pluginsQuery,
  settingsQuery,
} from '../../features/tell/notifications/notifications.api.ts'
import { useQueryValues } from '../../lib/address.ts'
import { useBootstrap, useUser } from '../../lib/session.ts'
import { type Section, sectionsFor } from './sections.ts'

/** What an app has opened us with counts for all sections, until it loads the page anew. */
const opened = new Set<string>()

function isOpened(name: 'onlyNotifications' | 'themeable', said: string | undefined): boolean {
  if (said === 'true') opened.add(name)
  return opened.has(name)
}

/** The sections of who is signed in, here. */
export function useSections(): Section[] {
  const user = useUser()
  const { page_context: context, settings } = useBootstrap()
  const { onlyNotifications, themeable } = useQueryValues()
  const { data: plugins } = useQuery(pluginsQuery)
  const { data: channels = [] } = useQuery(settingsQuery)
  return sectionsFor({
    user,
    platform: context.app_platform,
    isThemeForced: context.syndicate.theme !== null,
    isOnlyNotifications: isOpened('onlyNotifications', onlyNotifications),
    isThemeable: isOpened('themeable', themeable),
    isEnterprise: settings.IS_ENT,
    channels: CHANNELS.flatMap(({ name }) => (isAvailable(plugins?.[name]) ? [name] : [])),
    channelsOn: channels.flatMap(({ name, enabled }) => (enabled ? [name] : [])),
  })
}
