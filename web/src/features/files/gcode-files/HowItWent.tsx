import type { PrintBase } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from 'react-i18next'
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
