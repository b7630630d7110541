import type { Printer } from '@vigil/contract/printers/printers.ts'
import { StatusPill } from '../ui/StatusMark.tsx'
import { shownState } from './state.ts'
import { useWords } from './words.ts'

export function StatePill({
  printer,
  transition,
  onPicture,
}: {
  printer: Printer
  transition: string | null
  onPicture?: boolean
}) {
  const words = useWords()
  const shown = shownState(printer, transition)
  return (
    <StatusPill shape={shown.shape} tone={shown.tone} onPicture={onPicture ?? false}>
      {words.standing(shown)}
    </StatusPill>
  )
}
