import { useTranslation } from 'react-i18next'
import { withUnit } from '../lib/format.ts'

const KB = 1024
const MB = KB * KB
const GB = KB * MB

/** `812 kB`, `24.6 MB`, `1.2 GB`: a size in the units in which plans count. */
export function useBytes(): (bytes: number) => string {
  const { t } = useTranslation('gcode-files')
  return (bytes) => {
    if (bytes >= GB) return withUnit(short(bytes / GB), t('units.gb'))
    if (bytes >= MB) return withUnit(short(bytes / MB), t('units.mb'))
    return withUnit(String(Math.ceil(bytes / KB)), t('units.kb'))
  }
}

const short = (value: number) => String(Number(value.toFixed(value < 100 ? 1 : 0)))
