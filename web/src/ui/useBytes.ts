import { useTranslation } from '../lib/translation.ts'
import { bytesIn } from '../lib/format.ts'

/** A size in the reader's language (lib/format.ts). */
export function useBytes(): (bytes: number) => string {
  const { t } = useTranslation('common')
  const units = { kb: t('units.kb'), mb: t('units.mb'), gb: t('units.gb'), tb: t('units.tb') }
  return (bytes) => bytesIn(units, bytes)
}
