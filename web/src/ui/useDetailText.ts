import { useTranslation } from '../lib/translation.ts'
import { degrees, filament, grams, millimetres } from '../lib/format.ts'
import type { Detail } from '../lib/gcode-details.ts'
import { useTimeText } from './time.tsx'

/** What is called how, and each value in its unit. */
export function useDetailText() {
  const { t } = useTranslation('gcode-files')
  const { duration } = useTimeText()
  return {
    label: ({ name }: Detail): string => t(`details.${name}`),
    value: (detail: Detail): string => {
      if (typeof detail.value === 'string') return detail.value
      const value = plain(detail.name, detail.value)
      return 'isEstimated' in detail ? t('details.estimated', { value }) : value
    },
  }

  function plain(name: Detail['name'], value: number): string {
    switch (name) {
      case 'estimated_time':
        return duration(value)
      case 'filament_total':
        return filament(value)
      case 'first_layer_bed_temp':
      case 'first_layer_extr_temp':
        return degrees(value, 0)
      case 'filament_weight_total':
        return grams(value)
      case 'layer_count':
      case 'objects':
        return String(Math.round(value))
      default:
        return millimetres(value)
    }
  }
}
