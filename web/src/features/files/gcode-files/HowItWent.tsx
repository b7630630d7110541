import type { PrintBase } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { StatusPill } from '../../../ui/StatusMark.tsx'

/** How a print went, by shape and word. */
export function HowItWent({ print }: { print: PrintBase }) {
  const { t } = useTranslation('print-page')
  if (print.cancelled_at !== null)
    return (
      <StatusPill shape="cross" tone="quiet">
        {t('status.cancelled')}
      </StatusPill>
    )
  if (print.ended_at !== null)
    return (
      <StatusPill shape="dot" tone="good">
        {t('status.finished')}
      </StatusPill>
    )
  const isPaused = print.paused_by !== null
  return (
    <StatusPill shape={isPaused ? 'bars' : 'ring'} tone={isPaused ? 'warn' : 'accent'}>
      {t(isPaused ? 'status.paused' : 'status.printing')}
    </StatusPill>
  )
}

const time = (at: string | null) => (at === null ? 0 : Date.parse(at))

/** What runs first, by when it began; then what is over, the last one first. */
export function inOrder(prints: readonly PrintBase[]): PrintBase[] {
  return prints.toSorted((a, b) => {
    const [isOverA, isOverB] = [a.ended_at !== null, b.ended_at !== null]
    if (isOverA !== isOverB) return isOverA ? 1 : -1
    return isOverA ? time(b.ended_at) - time(a.ended_at) : time(b.started_at) - time(a.started_at)
  })
}

/** How many prints were made of a file, and how they went. */
export function countsOf(prints: readonly PrintBase[]): { total: number; success: number; failed: number } {
  return {
    total: prints.length,
    success: prints.filter(({ finished_at }) => finished_at !== null).length,
    failed: prints.filter(({ cancelled_at }) => cancelled_at !== null).length,
  }
}
