import { useTranslation } from '../../../lib/translation.ts'
import { dateFormat, ms } from '../../../lib/format.ts'

/** A day in the reader's words; nothing for none. */
export function useDay(): (at: string | null) => string {
  const { i18n } = useTranslation()
  return (at) => (at === null ? '' : dateFormat(i18n.language, { dateStyle: 'long' }).format(ms(at) ?? 0))
}
