import { useTranslation } from '../../../lib/translation.ts'

/** The words of a channel: its `name`, `how` it is set up, the label of a field. */
export function useChannelWords(): (channel: string, key: string) => string {
  const { t } = useTranslation('notifications')
  return (channel, key) => t(`channel.${channel}.${key}` as 'channel.ntfy.name')
}
