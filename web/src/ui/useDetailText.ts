import { useTranslation } from 'react-i18next'
import { degrees, filament, millimetres } from '../lib/format.ts'
import type { Detail } from '../lib/gcodeDetails.ts'
import { useTimeText } from './time.tsx'

/** What is called how, and each value in its unit. */
export function useDetailText() {
  const { t } = useTranslation('files')
  const { duration } = useTimeText()
  return {
    label: ({ name }: Detail): string => t(`details.${name}`),
    value: (detail: Detail): string => {
      if (typeof detail.value === 'string') return detail.value
      switch (detail.name) {
        case 'estimated_time':
          return duration(detail.value)
        case 'filament_total':
          return filament(detail.value)
        case 'first_layer_bed_temp':
        case 'first_layer_extr_temp':
          return `${degrees(detail.value)}C`
        case 'objects':
          return String(Math.round(detail.value))
        case 'object_height':
          return millimetres(Math.round(detail.value))
        default:
          return millimetres(detail.value)
      }
    },
  }
}
