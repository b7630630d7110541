import { howMuch, type WatchedShare } from '@vigil/contract/watch/watch-code.ts'
import { useTranslation } from '../lib/translation.ts'
import { percent as asPercent } from '../lib/format.ts'
import { useWords } from './words.ts'

/** Never 100 while something was missed, never 0 while something was seen. */
export const watchedPercent = ({ seconds, of }: WatchedShare): number => {
  const percent = of === 0 ? 0 : (seconds / of) * 100
  return percent > 99 && seconds < of ? 99 : Math.max(seconds > 0 ? 1 : 0, Math.round(percent))
}

/** What is said of it, in the reader's language. */
export function useWatchedText() {
  const { t } = useTranslation('printers')
  const words = useWords()
  const why = ({ unseen }: WatchedShare) => unseen.map((code) => words.reason(code, null)).join(', ')
  return {
    why,
    /** `89 %`, `None of it`. */
    share: (share: WatchedShare) =>
      share.seconds === 0 ? t('watchedShare.none') : asPercent(watchedPercent(share)),
    /** `Not watched`, `Watched 89 %`; null where all of it was. */
    lack(share: WatchedShare): string | null {
      const kind = howMuch(share)
      if (kind === 'all') return null
      return kind === 'none'
        ? t('watchedShare.not')
        : t('watchedShare.part', { percent: watchedPercent(share) })
    },
  }
}
