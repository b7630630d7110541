import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { DEBOUNCE_MS, type Field, useRefusal, useSaved } from '../../../printer/useField.ts'
import { type Ext, extQuery, saveExt } from './first-layer.api.ts'

export type NumberField = Exclude<
  Extract<keyof Ext, `first_layer_scan_${string}`>,
  'first_layer_scan_opted_in'
>

/** One setting of the scan that saves itself, alone: numbers a second after they were typed, a switch at once. */
export function useExtField<K extends NumberField | 'first_layer_scan_opted_in'>(
  ext: Ext,
  key: K,
): Field<Ext[K]> {
  const { t } = useTranslation('first-layer')
  const client = useQueryClient()
  const refusalOf = useRefusal()
  const isTyped = typeof ext[key] === 'number'

  async function put(value: Ext[K]) {
    try {
      client.setQueryData(extQuery(ext.printer).queryKey, await saveExt(ext.printer, { [key]: value }))
      return null
    } catch (error) {
      return refusalOf(problemOf(error), key, t('fieldFailed'))
    }
  }
  return useSaved({
    held: ext[key],
    delayMs: isTyped ? DEBOUNCE_MS : 0,
    // A switch shows what holds; what was typed stays, to be mended.
    keeps: () => isTyped,
    put,
    tooSlow: () => t('fieldFailed'),
  })
}
