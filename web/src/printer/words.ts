import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../lib/translation.ts'
import type { ShownState, Word } from './state.ts'
import type { Heater } from './status.ts'

/** Words for what the rules found out, in the reader's language. */
export function useWords() {
  const { t } = useTranslation('printers')
  const state = (word: Word) => ('known' in word ? t(`state.${word.known}`) : word.said)
  return {
    state,
    /** `Paused by you · alert open`. */
    standing: ({ word, alert }: Pick<ShownState, 'word' | 'alert'>) =>
      alert ? `${state(word)} · ${t('state.alertOpen')}` : state(word),
    /** Why it isn't watched; a reason that we have no text for is shown as the server said it. */
    reason: (code: WatchCode | null, said: string | null) =>
      code ? t(`why.${code}`) : (said ?? t('why.unknown')),
    heater: (heater: Heater) => {
      const match = /^(tool|extruder|bed|chamber|heater_bed)(\d*)$/i.exec(heater.key)
      if (!match) return heater.key.replaceAll('_', ' ')
      const [, kind, digits] = match
      const number = digits && digits !== '0' ? ` ${Number(digits) + 1}` : ''
      const known = {
        tool: 'nozzle',
        extruder: 'nozzle',
        bed: 'bed',
        heater_bed: 'bed',
        chamber: 'chamber',
      } as const
      return t(`heater.${known[kind!.toLowerCase() as keyof typeof known]}`) + number
    },
  }
}
