import type { QueueEntry, QueuePrinter, QueueRun } from '@vigil/contract/files/queue.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { ms } from '../../../lib/format.ts'
import { useNow } from '../../../lib/clock.ts'
import { useTimeText } from '../../../ui/time.tsx'

/** How a printer stands to the queue. */
export function usePrinterState() {
  const { t } = useTranslation('queue')
  const { moment } = useTimeText()
  const now = useNow()
  return ({ obstacle, free_at, bed_clear, refusal }: QueuePrinter): string => {
    const until = ms(free_at)
    // A print may take longer than was said.
    if (obstacle === 'busy' && until !== null && until > now)
      return t('state.busyUntil', { time: moment(until) })
    if (obstacle === 'refused' && refusal !== null) return refusal
    if (obstacle !== null) return t(`state.${obstacle}`)
    return bed_clear ? t('bed.clear') : t('state.free')
  }
}

/** Why an entry waits, in a sentence; null where nothing of it is left to start. */
export function useReason() {
  const { t } = useTranslation('queue')
  return ({ left, reason, waits_for, printer, ahead }: QueueEntry): string | null => {
    if (left === 0) return null
    const name = waits_for?.name ?? printer?.name ?? ''
    if (reason === 'behind') return t('reason.behind', { count: ahead, printer: name })
    return t(`reason.${reason ?? 'starts'}`, { printer: name })
  }
}

/** What has become of a copy. */
export function useRun() {
  const { t } = useTranslation('queue')
  return ({ state, printer_name: printer, reason }: QueueRun): string =>
    [t(`run.${state}`, { printer }), ...(reason === null ? [] : [reason])].join(' · ')
}
