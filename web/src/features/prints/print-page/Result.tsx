import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from 'react-i18next'
import { readStatus } from '../../../printer/status.ts'
import { StatusPill } from '../../../ui/StatusMark.tsx'
import { isRunning } from './lapse.rules.ts'

/** How a print stands, by shape and word: what is over never changes, what runs is as its printer says. */
export function Result({ print, printer }: { print: Print; printer: Printer | undefined }) {
  const { t } = useTranslation('print-page')
  if (print.uploaded_at !== null)
    return (
      <StatusPill shape="dot" tone="quiet">
        {t('status.uploaded')}
      </StatusPill>
    )
  if (isRunning(print)) {
    const paused = isPaused(printer, print)
    return (
      <StatusPill shape={paused ? 'bars' : 'ring'} tone={paused ? 'warn' : 'accent'}>
        {t(paused ? 'status.paused' : 'status.printing')}
      </StatusPill>
    )
  }
  if (print.cancelled_at !== null)
    return (
      <StatusPill shape="cross" tone="quiet">
        {t('status.cancelled')}
      </StatusPill>
    )
  return (
    <StatusPill shape="dot" tone="good">
      {t('status.finished')}
    </StatusPill>
  )
}

/** Whether it stands still: the printer says so, or where it says nothing what Vigil last knew. */
function isPaused(printer: Printer | undefined, print: Print): boolean {
  const reading = printer && printer.current_print?.id === print.id ? readStatus(printer) : null
  return reading ? reading.paused : print.paused_by !== null
}
