import { useTranslation } from '../../../lib/translation.ts'

/** Whole cents as people write them in their language. */
export function useMoney(currency: string): (cents: number) => string {
  const { i18n } = useTranslation()
  const format = new Intl.NumberFormat(i18n.language, { style: 'currency', currency })
  return (cents) => format.format(cents / 100)
}
