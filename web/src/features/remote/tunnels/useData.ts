import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../lib/format.ts'

const UNITS = [
  [1e12, 'units.tb'],
  [1e9, 'units.gb'],
  [1e6, 'units.mb'],
  [1e3, 'units.kb'],
] as const

/** `300 MB`, `1.2 GB`: data that was carried, in thousands, as caps are counted. */
export function useData(): (bytes: number) => string {
  const { t } = useTranslation('tunnels')
  return (bytes) => {
    const [size, unit] = UNITS.find(([least]) => bytes >= least) ?? [1e3, 'units.kb']
    const value = bytes / size
    return withUnit(String(Number(value.toFixed(value < 100 ? 1 : 0))), t(unit))
  }
}
