import { useTranslation } from '../../../lib/translation.ts'
import { useBootstrap } from '../../../lib/session.ts'

/** What hours are good for where nothing uses them up; null where they count. */
export function useHoursNote(): string | null {
  const { t } = useTranslation('feedback')
  const { settings } = useBootstrap()
  return settings.IS_ENT ? null : t('hoursUnused')
}
